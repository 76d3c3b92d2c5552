//! A JSON document as a tree of values that know where they were written (RFC 8259).

use std::sync::Arc;

use super::node::{Entry, Node, Value};
use crate::problem::{Place, Problem};

/// Arrays and objects within each other, at most.
const DEEPEST: u32 = 64;

impl Node {
    /// Reads a whole JSON document; the first syntax error becomes a problem.
    pub(crate) fn parse_json(text: &str, file: &str) -> Result<Self, Problem> {
        let mut reader = Reader {
            text,
            file: file.into(),
            at: 0,
            line: 1,
            line_start: 0,
        };
        let node = reader.value(0)?;
        reader.skip();
        match reader.peek() {
            None => Ok(node),
            Some(_) => Err(reader.refuse("nothing after the end of the document")),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    file: Arc<str>,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn place(&self) -> Place {
        let before = &self.text.as_bytes()[self.line_start..self.at.min(self.text.len())];
        // Continuation bytes of a character do not count as columns.
        let column = before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
        Place {
            file: self.file.clone(),
            line: self.line,
            column: column as u32,
        }
    }

    fn refuse(&self, expected: &str) -> Problem {
        let found = match self.text[self.at.min(self.text.len())..].chars().next() {
            None => "the end".to_owned(),
            Some(letter) => format!("`{}`", letter.escape_debug()),
        };
        Problem::error(
            self.place(),
            "",
            format!("not JSON: expected {expected}, found {found}"),
        )
    }

    fn skip(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn take(&mut self, byte: u8, expected: &str) -> Result<(), Problem> {
        self.skip();
        if self.peek() != Some(byte) {
            return Err(self.refuse(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<Node, Problem> {
        self.skip();
        let place = self.place();
        if depth > DEEPEST {
            return Err(self.refuse("fewer arrays within each other"));
        }
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { place, value })
    }

    fn object(&mut self, depth: u32) -> Result<Value, Problem> {
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        self.skip();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Table(entries));
        }
        loop {
            self.skip();
            let key_place = self.place();
            if self.peek() != Some(b'"') {
                return Err(self.refuse("a key in quotes"));
            }
            let key = self.string()?;
            if entries.iter().any(|entry| entry.key == key) {
                let message = format!("not JSON: the key `{}` is there twice", key.escape_debug());
                return Err(Problem::error(key_place, "", message));
            }
            self.take(b':', "`:`")?;
            let node = self.value(depth + 1)?;
            entries.push(Entry { key, key_place, node });
            self.skip();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.take(b'}', "`,` or `}`")?;
            return Ok(Value::Table(entries));
        }
    }

    fn array(&mut self, depth: u32) -> Result<Value, Problem> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.take(b']', "`,` or `]`")?;
            return Ok(Value::Array(items));
        }
    }

    /// A string, whose escapes are read by `serde_json`.
    fn string(&mut self) -> Result<String, Problem> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(b'\n') | None => {
                    self.at = end.min(bytes.len());
                    return Err(self.refuse("`\"` at the end of a string"));
                }
                Some(_) => end += 1,
            }
        }
        let found = serde_json::from_str(&self.text[start..=end])
            .map_err(|error| Problem::error(self.place(), "", format!("not JSON: {error}")))?;
        self.at = end + 1;
        Ok(found)
    }

    fn number(&mut self) -> Result<Value, Problem> {
        let rest = &self.text[self.at..];
        let length = rest
            .find(|letter: char| !matches!(letter, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
            .unwrap_or(rest.len());
        let digits = &rest[..length];
        let number: serde_json::Number = serde_json::from_str(digits).map_err(|_| self.refuse("a number"))?;
        self.at += length;
        Ok(match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Integer(i128::from(whole)),
            (None, Some(number)) => Value::Float(number),
            (None, None) => Value::Float(f64::NAN),
        })
    }

    fn word(&mut self) -> Result<Value, Problem> {
        for (word, value) in [("true", Value::Boolean(true)), ("false", Value::Boolean(false))] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.refuse("a value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines_and_columns() {
        let text = "{\n  \"\u{e9}\": [1, -2.5e1,\n   true, \"a\\n\\u0041\"]\n}\n";
        let document = Node::parse_json(text, "x.json").unwrap();
        let list = &document.get("\u{e9}").unwrap().node;
        let Value::Array(items) = &list.value else {
            panic!("{list:?}")
        };
        assert_eq!((list.place.line, list.place.column), (2, 8));
        assert_eq!((items[2].place.line, items[2].place.column), (3, 4));
        assert_eq!(items[1].describe(), "the number -25.0");
        assert_eq!(items[3].describe(), "the string \"a\\nA\"");
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_is() {
        for (text, line, column, says) in [
            ("{\"a\": }", 1, 7, "a value"),
            ("{\n \"a\": 1\n \"b\": 2}", 3, 2, "`,` or `}`"),
            ("[1, 2", 1, 6, "found the end"),
            ("[\"ab", 1, 5, "end of a string"),
            ("{\"a\": 1, \"a\": 2}", 1, 10, "twice"),
            ("[] 3", 1, 4, "nothing after"),
            ("[01]", 1, 2, "a number"),
            ("", 1, 1, "a value"),
        ] {
            let problem = Node::parse_json(text, "x.json").unwrap_err();
            assert_eq!(
                (problem.place.line, problem.place.column),
                (line, column),
                "{text}: {problem}"
            );
            assert!(problem.message.contains(says), "{text}: {problem}");
        }
        assert!(Node::parse_json(&"[".repeat(10_000), "x.json").is_err());
    }
}
