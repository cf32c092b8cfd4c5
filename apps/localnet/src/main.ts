import { loadProgram } from '@shardnode/core/bundle';

const { serve } = await loadProgram(import.meta.url, 'serve', () => import('./serve.js'));
await serve();
