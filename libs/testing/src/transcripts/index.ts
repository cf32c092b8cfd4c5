export { type Exchange, readTranscript, type Transcript, transcriptNames } from './transcript-files.js';
export { loadReplay, type Replay } from './replay-program.js';
