import { loadProgram } from '@shardnode/core/bundle';

await loadProgram(import.meta.url, 'run', () => import('./run.js'));
