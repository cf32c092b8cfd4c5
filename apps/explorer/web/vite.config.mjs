import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The page of the explorer: `vite build apps/explorer/web`. Addresses are relative, so that it works below any path. */
export default defineConfig({
  root: folder('.'),
  base: './',
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    // The service tells browsers which scripts a path needs.
    manifest: 'manifest.json',
    // The policy of the page allows its own files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages need is one file: many small ones compress badly.
          groups: [
            { name: 'parts', test: /[\\/]web[\\/](?:parts|store|stream|texts)/, minShareCount: 5, entriesAware: false },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  logLevel: 'warn',
});
