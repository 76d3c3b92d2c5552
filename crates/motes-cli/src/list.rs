//! `motes list`: the gallery.

use anyhow::Result;
use motes_scene::gallery::{DEFAULT, gallery};
use serde_json::json;

use crate::args::ListOptions;

pub(crate) fn list(options: &ListOptions) -> Result<u8> {
    if options.json {
        let entries: Vec<_> = gallery()
            .iter()
            .map(|entry| json!({ "name": entry.name, "caption": entry.caption, "default": entry.name == DEFAULT }))
            .collect();
        say!("{}", serde_json::to_string_pretty(&entries)?);
    } else {
        let width = gallery().iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        for entry in gallery() {
            let mark = if entry.name == DEFAULT { " (default)" } else { "" };
            say!("{:width$}  {}{mark}", entry.name, entry.caption);
        }
    }
    Ok(crate::SUCCESS)
}
