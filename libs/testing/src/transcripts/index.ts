export { type Exchange, readTranscript, type Transcript, transcriptNames } from './transcript-files.js';
export { loadReplay, type Replay, type ReplayOptions } from './replay-program.js';
