//! `motes plot`: columns of a log over time, as a picture for people.

mod chart;
mod font;
mod raster;
mod svg;
mod table;

use std::path::Path;

use anyhow::{Context, Result};
use motes_render::{write_file, write_png};

use crate::args::{Misuse, PlotOptions};
use chart::Chart;
use raster::Raster;
use svg::Svg;
use table::Table;

/// What is drawn unless something else is asked for.
const USUAL: [&str; 3] = ["kinetic_energy", "potential_energy", "energy"];

/// More lines than this are a tangle.
const MOST_LINES: usize = 12;

pub(crate) fn plot(options: &PlotOptions) -> Result<u8> {
    let path = &options.log;
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let is_csv = path.extension().is_some_and(|extension| extension == "csv");
    let table = if is_csv {
        Table::from_csv(&text)
    } else {
        Table::from_json_lines(&text)
    };
    let table = table.with_context(|| path.display().to_string())?;
    let usual = USUAL.map(str::to_owned);
    let wanted = if options.columns.is_empty() {
        &usual[..]
    } else {
        &options.columns
    };
    let chart = Chart {
        title: path
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        times: table
            .column("time")
            .ok_or_else(|| Misuse("the log has no column `time`".into()))?,
        lines: lines(&table, wanted)?,
    };
    let out = options.out.clone().unwrap_or_else(|| path.with_extension("svg"));
    if let Some(folder) = out.parent().filter(|folder| *folder != Path::new("")) {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    if out
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
    {
        let mut raster = Raster::new(chart.size());
        chart.draw(&mut raster);
        write_png(&out, &raster.finish())?;
    } else {
        let mut svg = Svg::new(chart.size());
        chart.draw(&mut svg);
        write_file(&out, svg.finish().as_bytes())?;
    }
    say!("{}", out.display());
    Ok(crate::SUCCESS)
}

/// Columns of these names, or whose names begin with one and a dot.
fn lines(table: &Table, wanted: &[String]) -> Result<Vec<(String, Vec<f64>)>, Misuse> {
    let mut lines = Vec::new();
    for name in wanted {
        let names = { table.names() }.filter(|other| {
            let rest = other.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            return Err(Misuse(match motes_scene::nearest(name, table.names()) {
                Some(meant) => format!("the log has no column `{name}`; did you mean `{meant}`?"),
                None => {
                    let all: Vec<&str> = table.names().collect();
                    format!("the log has no column `{name}`; it has {}", all.join(", "))
                }
            }));
        }
        lines.extend(
            names
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), table.column(name)?))),
        );
    }
    if lines.len() > MOST_LINES {
        return Err(Misuse(format!(
            "{} lines are wanted, and {MOST_LINES} can be told apart",
            lines.len()
        )));
    }
    Ok(lines)
}
