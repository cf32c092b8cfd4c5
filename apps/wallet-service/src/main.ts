import { startProgram } from '@shardnode/core/bundle';

await startProgram(import.meta.url, 'serve', () => import('./serve.js'));
