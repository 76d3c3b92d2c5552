//! A TOML document as a tree of values that know where they were written.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::problem::{Place, Problem};

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    String(String),
    Integer(i128),
    Float(f64),
    Boolean(bool),
    Datetime,
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key, where it was written, and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_place: Place,
    pub(crate) node: Node,
}

impl Node {
    /// Reads a whole document; every syntax error becomes a problem.
    pub(crate) fn parse_document(text: &str, file: &str) -> Result<Self, Vec<Problem>> {
        let source = Source::new(text, file);
        let (table, errors) = DeTable::parse_recoverable(text);
        source.refuse(errors)?;
        Ok(source.table(table.get_ref(), source.place(0)))
    }

    /// Reads a single value.
    pub(crate) fn parse_value(text: &str, file: &str) -> Result<Self, Vec<Problem>> {
        let source = Source::new(text, file);
        let (value, errors) = DeValue::parse_recoverable(text);
        source.refuse(errors)?;
        Ok(source.node(value.get_ref(), value.span().start))
    }

    /// The value under a key of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The value in words, for messages.
    pub(crate) fn describe(&self) -> String {
        match &self.value {
            Value::String(text) if text.chars().count() > 40 => "a long string".into(),
            Value::String(text) => format!("the string {text:?}"),
            Value::Integer(number) => format!("the integer {number}"),
            Value::Float(number) => format!("the number {number:?}"),
            Value::Boolean(flag) => format!("{flag}"),
            Value::Datetime => "a date".into(),
            Value::Array(items) => format!("an array of {}", items.len()),
            Value::Table(_) => "a table".into(),
        }
    }
}

/// A text and where its lines begin.
struct Source<'a> {
    text: &'a str,
    file: Arc<str>,
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    fn new(text: &'a str, file: &str) -> Self {
        let after_breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1);
        Self {
            text,
            file: file.into(),
            line_starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    fn place(&self, offset: usize) -> Place {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line.saturating_sub(1)];
        let before = self.text.as_bytes().get(start..offset).unwrap_or_default();
        // Continuation bytes of a character do not count as columns.
        let column = before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
        Place {
            file: self.file.clone(),
            line: line as u32,
            column: column as u32,
        }
    }

    fn refuse(&self, errors: Vec<toml::de::Error>) -> Result<(), Vec<Problem>> {
        if errors.is_empty() {
            return Ok(());
        }
        let problems = errors.into_iter().map(|error| {
            let place = self.place(error.span().map_or(0, |span| span.start));
            if let Some(word) = error.span().and_then(|span| self.bare_word(span.start)) {
                let problem = Problem::error(place, "", format!("not TOML: `{word}` is not a value"));
                let help = Some(format!("text is written in quotes: \"{word}\""));
                return Problem { help, ..problem };
            }
            let message = error.message().trim().replace('\n', ", ");
            Problem::error(place, "", format!("not TOML: {message}"))
        });
        let mut problems: Vec<Problem> = problems.collect();
        problems.sort();
        // What follows on the same line is mostly a consequence of the first.
        problems.dedup_by_key(|problem| problem.place.line);
        Err(problems)
    }

    /// The word without quotes that stands as a value around an offset, if one does.
    fn bare_word(&self, offset: usize) -> Option<&str> {
        let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let (before, after) = (self.text.get(..offset)?, self.text.get(offset..)?);
        let start = before.trim_end_matches(is_inner).len();
        let end = offset + (after.len() - after.trim_start_matches(is_inner).len());
        let word = &self.text[start..end];
        let line = self.text[..start].rsplit('\n').next().unwrap_or_default();
        let is_value = line.trim_end().ends_with(['=', '[', ',']) && line.contains('=');
        let is_word = word.starts_with(char::is_alphabetic) && !["true", "false", "inf", "nan"].contains(&word);
        (is_value && is_word).then_some(word)
    }

    fn node(&self, value: &DeValue<'_>, offset: usize) -> Node {
        let place = self.place(offset);
        let value = match value {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Integer(number),
                Err(_) => Value::Float(f64::INFINITY),
            },
            DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Value::Boolean(*flag),
            DeValue::Datetime(_) => Value::Datetime,
            DeValue::Array(items) => Value::Array(
                items
                    .iter()
                    .map(|item| self.node(item.get_ref(), item.span().start))
                    .collect(),
            ),
            DeValue::Table(table) => return self.table(table, place),
        };
        Node { place, value }
    }

    fn table(&self, table: &DeTable<'_>, place: Place) -> Node {
        let entries = table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_place: self.place(key.span().start),
                node: self.node(value.get_ref(), value.span().start),
            })
            .collect();
        Node {
            place,
            value: Value::Table(entries),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let document = Node::parse_document("a = 1\n\"\u{e9}\u{e9}\" = { b = [2, 3] }\n", "x.toml").unwrap();
        let inner = &document.get("\u{e9}\u{e9}").unwrap().node;
        assert_eq!((inner.place.line, inner.place.column), (2, 8));
        assert_eq!(inner.get("b").unwrap().node.describe(), "an array of 2");
    }

    #[test]
    fn a_word_without_quotes_is_called_that() {
        for text in ["name = typo\n", "a = 1\nname = flase # no", "names = [\"a\", b]"] {
            let problems = Node::parse_document(text, "x.toml").unwrap_err();
            assert!(problems[0].message.contains("is not a value"), "{text}: {problems:?}");
            assert!(problems[0].help.as_ref().is_some_and(|help| help.contains("in quotes")));
        }
        let broken = Node::parse_document("name = = 3\n", "x.toml").unwrap_err();
        assert!(!broken[0].message.contains("is not a value"), "{broken:?}");
    }

    #[test]
    fn every_syntax_error_is_listed_with_its_line() {
        let problems = Node::parse_document("a = \nb = 1\nc = [1, \n", "x.toml").unwrap_err();
        let lines: Vec<u32> = problems.iter().map(|problem| problem.place.line).collect();
        assert!(
            lines.contains(&1) && lines.iter().any(|line| *line >= 3),
            "{problems:?}"
        );
    }
}
