import { bundleOf } from '@shardnode/core/bundle';

const bundle = bundleOf(import.meta.url, 'serve');
await (bundle === undefined ? import('./serve.js') : import(bundle));
