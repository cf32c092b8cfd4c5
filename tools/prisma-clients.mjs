/**
 * Writes the Prisma clients of apps, which are not in the repository: `node tools/prisma-clients.mjs explorer group-node`.
 * Part of `npm ci`, and of the build of an image.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build', 'index.js');

for (const app of process.argv.slice(2)) {
  const schema = join(root, 'apps', app, 'prisma', 'schema.prisma');
  const env = {
    ...process.env,
    // Any program is sufficient: the named engine is not used to generate, and would otherwise be downloaded.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const { status } = spawnSync(process.execPath, [prisma, 'generate', '--schema', schema], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}
