import { startProgram } from '@shardnode/core/bundle';

await startProgram(import.meta.url, 'run', () => import('./run.js'));
