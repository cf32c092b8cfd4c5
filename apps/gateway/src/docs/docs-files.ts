import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServedFile } from './served-file.js';

/** The same folder from `src` and from `dist`: the build copies nothing. */
const pageFolder = fileURLToPath(new URL('../../src/docs/page/', import.meta.url));
const guides = {
  'exchange.md': fileURLToPath(new URL('../../../../docs/exchange.md', import.meta.url)),
  'errors.md': fileURLToPath(new URL('../../../../docs/errors.md', import.meta.url)),
};

/** The package comes with the framework's package for OpenAPI. */
const swaggerFolder = (): string => {
  const framework = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(framework).resolve('swagger-ui-dist/package.json'));
};

const ours = [
  'page.css',
  'start.js',
  'navigation.js',
  'layout.js',
  'responses.js',
  'samples.js',
  'guide.js',
  'icon.svg',
] as const;
const theirs = ['swagger-ui-bundle.js'] as const;

/** Below `/docs/`, beside the pages. */
export const fileNames = [...ours, ...theirs, 'exchange.md', 'errors.md'] as const;

export type PageName = 'index.html' | 'guide.html';
export type FileName = (typeof fileNames)[number];

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const pathOf = (name: FileName | PageName): string => {
  if (name === 'exchange.md' || name === 'errors.md') return guides[name];
  return join((theirs as readonly string[]).includes(name) ? swaggerFolder() : pageFolder, name);
};

/** Files of the documentation, read at their first request. */
@Injectable()
export class DocsFiles {
  private readonly read = new Map<FileName | PageName, Promise<ServedFile>>();

  file(name: FileName): Promise<ServedFile> {
    return this.once(name, async () => new ServedFile(mediaTypes[extname(name)]!, await readFile(pathOf(name))));
  }

  /** A page contains the version of each file, so that browsers need no request to learn of a change. */
  page(name: PageName): Promise<ServedFile> {
    return this.once(name, async () => {
      let text = await readFile(pathOf(name), 'utf8');
      for (const file of [...ours, ...theirs])
        text = text.replaceAll(`="${file}"`, `="${file}?v=${(await this.file(file)).version}"`);
      return new ServedFile(mediaTypes['.html']!, Buffer.from(text));
    });
  }

  private once(name: FileName | PageName, open: () => Promise<ServedFile>): Promise<ServedFile> {
    const known = this.read.get(name);
    if (known) return known;
    const opened = open();
    this.read.set(name, opened);
    // A failed read is retried at the next request.
    opened.catch(() => this.read.delete(name));
    return opened;
  }
}
