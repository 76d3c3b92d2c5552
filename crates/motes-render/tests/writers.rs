//! PNG and MP4 files are whole and right, or not there.
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use motes_render::{Image, RenderError, VideoWriter, write_file, write_png};

fn gradient(width: u32, height: u32, frame: u32) -> Image {
    let mut image = Image::filled(width, height, [0, 0, 0, 255]);
    for (i, pixel) in image.pixels.iter_mut().enumerate() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        *pixel = [(3 * x + 5 * frame) as u8, (7 * y) as u8, (x * y) as u8, 255];
    }
    image
}

fn film(path: &Path, width: u32, height: u32, frames: u32) -> Result<(), RenderError> {
    let mut writer = VideoWriter::create(path, width, height, 25)?;
    for frame in 0..frames {
        writer.push(&gradient(width, height, frame))?;
    }
    writer.finish()
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("taken");
    fs::create_dir(&target).unwrap();
    assert!(write_file(&target, b"data").is_err());
    assert_eq!(files(folder.path()), 1);
    write_file(&folder.path().join("free"), b"data").unwrap();
    assert_eq!(fs::read(folder.path().join("free")).unwrap(), b"data");
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn boxes(mut bytes: &[u8]) -> Vec<(&str, &[u8])> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (this, rest) = bytes.split_at(number(bytes, 0) as usize);
        found.push((std::str::from_utf8(&this[4..8]).unwrap(), &this[8..]));
        bytes = rest;
    }
    found
}

fn inside<'a>(bytes: &'a [u8], names: &[&str]) -> &'a [u8] {
    names.iter().fold(bytes, |bytes, name| {
        let found = boxes(bytes).into_iter().find(|b| b.0 == *name);
        found.unwrap_or_else(|| panic!("no {name} box")).1
    })
}

struct Contents {
    seconds: f64,
    samples: u32,
    keyframes: u32,
    size: (u32, u32),
}

fn contents(path: &Path) -> Contents {
    let bytes = fs::read(path).unwrap();
    let order: Vec<_> = boxes(&bytes).iter().map(|b| b.0).collect();
    assert_eq!(order, ["ftyp", "moov", "mdat"]);
    let media = inside(&bytes, &["moov", "trak", "mdia"]);
    let header = inside(media, &["mdhd"]);
    let table = inside(media, &["minf", "stbl"]);
    let entry = &inside(table, &["stsd"])[8..];
    assert_eq!(&entry[4..8], b"avc1");
    let size = number(entry, 32);
    Contents {
        seconds: f64::from(number(header, 16)) / f64::from(number(header, 12)),
        samples: number(inside(table, &["stsz"]), 8),
        keyframes: number(inside(table, &["stss"]), 4),
        size: (size >> 16, size & 0xffff),
    }
}

#[test]
fn png_reads_back_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let image = gradient(33, 17, 0);
    write_png(&path, &image).unwrap();
    let file = BufReader::new(File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; 33 * 17 * 3];
    reader.next_frame(&mut bytes).unwrap();
    let written: Vec<u8> = image.pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    assert_eq!((reader.info().width, reader.info().height), (33, 17));
    assert_eq!(bytes, written);
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn failed_png_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let mut image = gradient(8, 8, 0);
    image.pixels.pop();
    let error = write_png(&path, &image).unwrap_err();
    assert!(matches!(error, RenderError::PixelCount { found: 63, .. }));
    assert_eq!(files(folder.path()), 0);

    fs::create_dir_all(path.join("in the way")).unwrap();
    let error = write_png(&path, &gradient(8, 8, 0)).unwrap_err();
    assert!(error.to_string().contains("a.png"), "{error}");
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn failed_png_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    write_png(&path, &gradient(8, 8, 0)).unwrap();
    let before = fs::read(&path).unwrap();
    write_png(&path, &gradient(0, 0, 0)).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn film_has_every_frame_and_the_right_duration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    film(&path, 64, 48, 60).unwrap();
    let film = contents(&path);
    assert_eq!(film.samples, 60);
    assert_eq!(film.seconds, 60.0 / 25.0);
    assert_eq!(film.keyframes, 2);
    assert_eq!(film.size, (64, 48));
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn film_of_one_frame_lasts_one_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    film(&path, 64, 48, 1).unwrap();
    assert_eq!(contents(&path).seconds, 1.0 / 25.0);
}

#[test]
fn film_without_frames_is_an_error_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = film(&folder.path().join("a.mp4"), 64, 48, 0).unwrap_err();
    assert!(matches!(error, RenderError::NoFrames { .. }));
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn odd_film_is_padded_to_even() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    film(&path, 33, 17, 3).unwrap();
    assert_eq!(contents(&path).samples, 3);
    assert_eq!(contents(&path).size, (34, 18));
}

#[test]
fn smallest_and_narrowest_films_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    for (width, height) in [(16, 16), (3840, 16), (16, 3840)] {
        let path = folder.path().join(format!("{width}x{height}.mp4"));
        film(&path, width, height, 2).unwrap();
        assert_eq!(contents(&path).samples, 2);
    }
}

#[test]
fn impossible_films_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    for (width, height, rate) in [(0, 0, 30), (8, 720, 30), (3842, 2160, 30), (64, 64, 0)] {
        let result = VideoWriter::create(&path, width, height, rate);
        assert!(matches!(result, Err(RenderError::VideoFormat { .. })));
    }
    assert!(VideoWriter::create(&folder.path().join("no/a.mp4"), 64, 64, 30).is_err());
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn dropped_writer_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    let mut writer = VideoWriter::create(&path, 64, 48, 30).unwrap();
    writer.push(&gradient(64, 48, 0)).unwrap();
    assert!(!path.exists());
    drop(writer);
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn image_of_another_size_is_refused_and_the_film_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    let mut writer = VideoWriter::create(&path, 64, 48, 30).unwrap();
    writer.push(&gradient(64, 48, 0)).unwrap();
    let error = writer.push(&gradient(48, 64, 1)).unwrap_err();
    assert!(matches!(error, RenderError::FrameSize { found: (48, 64), .. }));
    writer.push(&gradient(64, 48, 2)).unwrap();
    writer.finish().unwrap();
    assert_eq!(contents(&path).samples, 2);
}

#[test]
fn same_images_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.mp4", "b.mp4"].map(|name| folder.path().join(name));
    film(&a, 320, 180, 12).unwrap();
    film(&b, 320, 180, 12).unwrap();
    assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
}
