import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DocsFrame, framedPage } from './docs-frame.js';
import { ServedFile } from './served-file.js';

/** The same folder from `src` and from `dist`: the build copies nothing. */
const pageFolder = fileURLToPath(new URL('../../src/docs/page/', import.meta.url));

/** The package comes with the framework's package for OpenAPI. */
const swaggerFolder = (): string => {
  const framework = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(framework).resolve('swagger-ui-dist/package.json'));
};

/** Files of the page of operations, which draws the OpenAPI document beside it. */
const sharedFiles = [
  'page.css',
  'frame.js',
  'start.js',
  'navigation.js',
  'layout.js',
  'responses.js',
  'samples.js',
  'icon.svg',
];
const swaggerFile = 'swagger-ui-bundle.js';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Names below the page of the documentation that every interface has. */
export const docsFileNames: readonly string[] = [...sharedFiles, swaggerFile];

/**
 * Files of the documentation of an interface, read at their first request.
 * @template Own names of its own files and pages, with their paths
 */
export class DocsFiles<Own extends string = string> {
  private readonly read = new Map<string, Promise<ServedFile>>();

  /** @param frame of its pages @param own contents of pages without their frame, and files */
  constructor(
    private readonly frame: DocsFrame,
    private readonly own: Readonly<Record<Own, string>>,
  ) {}

  /** @param name one of `docsFileNames`, or a file of its own */
  file(name: string): Promise<ServedFile> {
    return this.once(name, async () => new ServedFile(mediaTypes[extname(name)]!, await readFile(this.pathOf(name))));
  }

  /** The page of operations. */
  operations(): Promise<ServedFile> {
    return this.framed('operations.html', join(pageFolder, 'operations.html'));
  }

  page(name: Own): Promise<ServedFile> {
    return this.framed(name, this.own[name]);
  }

  /** @param content HTML @param base address of the documentation from where the page is shown; default: it is there */
  async pageOf(content: string, base?: string): Promise<string> {
    const template = await readFile(join(pageFolder, 'frame.html'), 'utf8');
    let text = framedPage(template, this.frame, content, base);
    // A page contains the version of each file, so that browsers need no request to learn of a change.
    const scripts = Object.keys(this.own).filter((file) => extname(file) === '.js');
    for (const file of [...docsFileNames, ...scripts])
      text = text.replaceAll(`="${file}"`, `="${file}?v=${(await this.file(file)).version}"`);
    return text;
  }

  private framed(name: string, path: string): Promise<ServedFile> {
    return this.once(
      name,
      async () => new ServedFile(mediaTypes['.html']!, Buffer.from(await this.pageOf(await readFile(path, 'utf8')))),
    );
  }

  private pathOf(name: string): string {
    if (Object.hasOwn(this.own, name)) return this.own[name as Own];
    return join(name === swaggerFile ? swaggerFolder() : pageFolder, name);
  }

  private once(name: string, open: () => Promise<ServedFile>): Promise<ServedFile> {
    const known = this.read.get(name);
    if (known) return known;
    const opened = open();
    this.read.set(name, opened);
    // A failed read is retried at the next request.
    opened.catch(() => this.read.delete(name));
    return opened;
  }
}
