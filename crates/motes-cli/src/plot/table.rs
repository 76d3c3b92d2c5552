//! A log as columns of numbers, from JSON Lines or CSV.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Columns of numbers; what a row does not have is no number.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Table {
    columns: Vec<(String, Vec<f64>)>,
    rows: usize,
}

impl Table {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn column(&self, name: &str) -> Option<Vec<f64>> {
        let column = self.columns.iter().find(|(other, _)| other == name);
        column.map(|(_, values)| values.clone())
    }

    pub(super) fn from_json_lines(text: &str) -> Result<Self> {
        let mut table = Self::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let value: Value = serde_json::from_str(line).with_context(|| format!("line {} is no JSON", number + 1))?;
            table.take("", &value);
            table.end_row();
        }
        table.not_empty()
    }

    pub(super) fn from_csv(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let names = cells(lines.next().unwrap_or_default());
        let mut table = Self::default();
        for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
            let row = cells(line);
            if row.len() != names.len() {
                bail!(
                    "line {} has {} cells, the first one {}",
                    number + 2,
                    row.len(),
                    names.len()
                );
            }
            for (name, cell) in names.iter().zip(&row) {
                table.put(name.clone(), cell.parse().unwrap_or(f64::NAN));
            }
            table.end_row();
        }
        table.not_empty()
    }

    fn not_empty(self) -> Result<Self> {
        if self.rows == 0 {
            bail!("the log has no rows");
        }
        Ok(self)
    }

    /// Takes in what a value has in it, by the names that CSV has: things in a list have their own.
    fn take(&mut self, path: &str, value: &Value) {
        let below = |key: &str| {
            if path.is_empty() {
                key.to_owned()
            } else {
                format!("{path}.{key}")
            }
        };
        match value {
            Value::Number(number) => self.put(path.to_owned(), number.as_f64().unwrap_or(f64::NAN)),
            Value::Object(keys) => keys.iter().for_each(|(key, value)| self.take(&below(key), value)),
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let name = match (item.get("name"), item.get("body")) {
                        (Some(Value::String(name)), _) => name.clone(),
                        (_, Some(Value::String(body))) => format!("joint {number} of {body}"),
                        _ => below(["x", "y", "z", "w"].get(number).copied().unwrap_or("more")),
                    };
                    self.take(&name, item);
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }

    fn put(&mut self, name: String, value: f64) {
        let rows = self.rows;
        let found = self.columns.iter().position(|(other, _)| *other == name);
        let at = found.unwrap_or_else(|| {
            self.columns.push((name, vec![f64::NAN; rows]));
            self.columns.len() - 1
        });
        let values = &mut self.columns[at].1;
        values.truncate(rows);
        values.push(value);
    }

    fn end_row(&mut self) {
        self.rows += 1;
        for (_, values) in &mut self.columns {
            values.resize(self.rows, f64::NAN);
        }
    }
}

/// The cells of a line of CSV (RFC 4180).
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells.last_mut().map(|cell| cell.push('"')).unwrap_or_default();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().map(|cell| cell.push(letter)).unwrap_or_default(),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_come_to_the_same_columns() {
        let json = "{\"time\":0.5,\"momentum\":[1,2,3],\"bodies\":[{\"name\":\"a, b\",\"center\":[4,5,6]}]}\n";
        let csv = "time,momentum.x,momentum.y,momentum.z,\"a, b.center.x\",\"a, b.center.y\",\"a, b.center.z\"\n0.5,1,2,3,4,5,6\n";
        let (json, csv) = (
            Table::from_json_lines(json).expect("JSON"),
            Table::from_csv(csv).expect("CSV"),
        );
        for name in ["time", "momentum.z", "a, b.center.x"] {
            assert_eq!(json.column(name), csv.column(name), "{name}");
            assert!(json.column(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_comes_late_or_goes_early_is_no_number_elsewhere() {
        let table = Table::from_json_lines("{\"a\":1}\n{\"b\":2}\n").expect("JSON");
        let rows = |name: &str| {
            table
                .column(name)
                .map(|values| values.iter().map(|value| value.is_nan()).collect())
        };
        assert_eq!(rows("a"), Some(vec![false, true]));
        assert_eq!(rows("b"), Some(vec![true, false]));
    }

    #[test]
    fn a_log_that_is_none_is_refused() {
        assert!(Table::from_json_lines("not JSON").is_err());
        assert!(Table::from_csv("a,b\n1\n").is_err());
        assert!(Table::from_csv("a,b\n").is_err());
    }
}
