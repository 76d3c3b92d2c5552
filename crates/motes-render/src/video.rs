//! MP4 films: H.264 by OpenH264, with the index before the pictures so that players start at once.

mod yuv;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange, RateControlMode,
    TransferCharacteristics, UsageType, VuiConfig,
};
use openh264::formats::YUVBuffer;
use openh264::{OpenH264API, Timestamp};

use crate::png::check_pixel_count;
use crate::unfinished::Unfinished;
use crate::{Image, RenderError};

const LIMIT: &str = "16x16 to 3840x2160 or 2160x3840 pixels, 1 to 240 frames per second";

/// The same quantizer for every block: quality is constant and the rate follows the picture. At 22 single grains stay sharp
/// and keep their colour (luma 40 dB); 1280x720 takes 3 Mbit/s for sand at rest, 25 Mbit/s and more when all of it falls.
const QUANTIZER: QpRange = QpRange::new(22, 22);

/// Bits per second the file declares (its H.264 level); it does not bind the encoder.
const DECLARED_RATE: BitRate = BitRate::from_bps(25_000_000);

/// Seconds between pictures a player can jump to.
const KEYFRAME_SECONDS: u32 = 2;

/// Frames that may wait for the encoder before [`VideoWriter::push`] does.
const WAITING_FRAMES: usize = 2;

/// Writes images, one after another, to an MP4 file that appears under its name only when it is finished.
///
/// Frames are encoded by one thread beside the caller's, in order: the same images give the same bytes. A writer dropped
/// before [`VideoWriter::finish`] leaves nothing behind. The compressed film is held in memory until then.
pub struct VideoWriter {
    size: (u32, u32),
    encoding: Option<Encoding>,
    unfinished: Option<Unfinished>,
    path: PathBuf,
}

struct Encoding {
    frames: SyncSender<YUVBuffer>,
    thread: JoinHandle<Result<Film, RenderError>>,
}

impl VideoWriter {
    /// Begins a film of images of `width` x `height` pixels, at least 16x16 and at most 3840x2160 or 2160x3840.
    ///
    /// An odd width or height is made even by repeating the last column or row.
    pub fn create(path: &Path, width: u32, height: u32, frames_per_second: u32) -> Result<Self, RenderError> {
        let (long, short) = (width.max(height), width.min(height));
        let rates = 1..=240;
        if !(16..=2160).contains(&short) || long > 3840 || !rates.contains(&frames_per_second) {
            return Err(RenderError::VideoFormat {
                path: path.to_owned(),
                width,
                height,
                frames_per_second,
                limit: LIMIT,
            });
        }
        let (unfinished, file) = Unfinished::create(path)?;
        let mut film = Film::new(path, file, yuv::even((width, height)), frames_per_second)?;
        let (frames, waiting) = sync_channel(WAITING_FRAMES);
        let thread = thread::Builder::new()
            .name("motes video".to_owned())
            .spawn(move || film.encode_all(&waiting).map(|()| film))
            .map_err(|cause| unfinished.error(cause))?;
        Ok(Self {
            size: (width, height),
            encoding: Some(Encoding { frames, thread }),
            unfinished: Some(unfinished),
            path: path.to_owned(),
        })
    }

    /// Appends one frame.
    ///
    /// An image of the wrong size is refused and the film goes on without it. An encoder's failure is told by a later push
    /// or by `finish`.
    pub fn push(&mut self, image: &Image) -> Result<(), RenderError> {
        check_pixel_count(&self.path, image)?;
        let found = (image.width, image.height);
        if found != self.size {
            return Err(RenderError::FrameSize {
                path: self.path.clone(),
                expected: self.size,
                found,
            });
        }
        let encoding = self.encoding.as_ref().ok_or_else(|| self.failed())?;
        if encoding.frames.send(yuv::planes(image)).is_ok() {
            return Ok(());
        }
        self.join().and_then(|_| Err(self.failed()))
    }

    /// Waits for the last frame and gives the file its name. A film without frames is an error and leaves no file.
    pub fn finish(mut self) -> Result<(), RenderError> {
        let film = self.join()?;
        let unfinished = self.unfinished.take().ok_or_else(|| self.failed())?;
        film.finish()?;
        unfinished.keep()
    }

    fn join(&mut self) -> Result<Film, RenderError> {
        let Encoding { frames, thread } = self.encoding.take().ok_or_else(|| self.failed())?;
        drop(frames);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn failed(&self) -> RenderError {
        RenderError::Failed {
            path: self.path.clone(),
        }
    }
}

impl Drop for VideoWriter {
    fn drop(&mut self) {
        if let Some(Encoding { frames, thread }) = self.encoding.take() {
            drop(frames);
            // The thread holds the file open until it ends, and an open file cannot be removed everywhere.
            let _ = thread.join();
        }
    }
}

/// The encoder and the file it fills.
struct Film {
    path: PathBuf,
    encoder: Encoder,
    muxer: Muxer<BufWriter<File>>,
    bits: Vec<u8>,
    frames_per_second: u32,
    frames: u64,
}

impl Film {
    fn new(path: &Path, file: File, (width, height): (u32, u32), frames_per_second: u32) -> Result<Self, RenderError> {
        let refused = |cause: String| RenderError::Encode {
            path: path.to_owned(),
            frame: 0,
            cause,
        };
        let config = encoder_config(frames_per_second);
        Ok(Self {
            path: path.to_owned(),
            encoder: Encoder::with_api_config(OpenH264API::from_source(), config)
                .map_err(|e| refused(e.to_string()))?,
            muxer: MuxerBuilder::new(BufWriter::new(file))
                .video(VideoCodec::H264, width, height, f64::from(frames_per_second))
                .build()
                .map_err(|e| refused(e.to_string()))?,
            bits: Vec::new(),
            frames_per_second,
            frames: 0,
        })
    }

    fn encode_all(&mut self, waiting: &Receiver<YUVBuffer>) -> Result<(), RenderError> {
        let rate = f64::from(self.frames_per_second);
        let mut last = None;
        for frame in waiting {
            self.encode(&frame, self.frames as f64 / rate)?;
            last = Some(frame);
        }
        if let (1, Some(frame)) = (self.frames, last) {
            // The muxer takes a frame's duration from its successor: a lone one is shown as two halves.
            self.encode(&frame, 0.5 / rate)?;
        }
        Ok(())
    }

    fn encode(&mut self, frame: &YUVBuffer, seconds: f64) -> Result<(), RenderError> {
        let refused = |cause: String| RenderError::Encode {
            path: self.path.clone(),
            frame: self.frames,
            cause,
        };
        let encoded = self
            .encoder
            .encode_at(frame, Timestamp::from_millis((seconds * 1e3) as u64))
            .map_err(|e| refused(e.to_string()))?;
        let keyframe = encoded.frame_type() == FrameType::IDR;
        self.bits.clear();
        encoded.write_vec(&mut self.bits);
        self.muxer
            .write_video(seconds, &self.bits, keyframe)
            .map_err(|e| refused(e.to_string()))?;
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<(), RenderError> {
        let file_error = |cause| RenderError::File {
            path: self.path.clone(),
            cause,
        };
        if self.frames == 0 {
            return Err(RenderError::NoFrames { path: self.path });
        }
        self.muxer
            .finish_in_place()
            .map_err(|e| file_error(std::io::Error::other(e.to_string())))?;
        self.muxer.into_writer().flush().map_err(file_error)
    }
}

fn encoder_config(frames_per_second: u32) -> EncoderConfig {
    EncoderConfig::new()
        .usage_type(UsageType::CameraVideoRealTime)
        .complexity(Complexity::Medium)
        // The one mode that takes its quantizer from the range above and never drops a frame.
        .rate_control_mode(RateControlMode::Bufferbased)
        .qp(QUANTIZER)
        .bitrate(DECLARED_RATE)
        .skip_frames(false)
        .scene_change_detect(false)
        .background_detection(false)
        .adaptive_quantization(false)
        .intra_frame_period(IntraFramePeriod::from_num_frames(KEYFRAME_SECONDS * frames_per_second))
        .max_frame_rate(FrameRate::from_hz(frames_per_second as f32))
        .num_threads(1)
        .vui(VuiConfig::bt709().transfer_characteristics(TransferCharacteristics::Srgb))
}
