import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { type FastifyInstance } from 'fastify';
import { type Clock } from '@shardnode/core/lifecycle';

/** The page's files come with the framework's package for it. */
const pageFolder = (): string => {
  const framework = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(framework).resolve('swagger-ui-dist/package.json'));
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const servedFiles = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

const page = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="swagger-ui-standalone-preset.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

const startScript = `window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  showExtensions: true,
  showCommonExtensions: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

/** Milliseconds for which a description is served: its examples name times that must not be long ago. */
const freshFor = 60_000;

/** The text of a description; `describe` is asked again when the last text is too old. */
const freshDescription = (clock: Clock, describe: (now: number) => unknown): (() => string) => {
  let last: { readonly text: string; readonly madeAt: number } | undefined;
  return () => {
    const now = clock.now();
    if (last === undefined || Math.abs(now - last.madeAt) >= freshFor)
      last = { text: JSON.stringify(describe(now), undefined, 2), madeAt: now };
    return last.text;
  };
};

export interface Documentation {
  readonly title: string;
  readonly clock: Clock;
  /** `now`: milliseconds since 1970. */
  readonly describe: (now: number) => unknown;
}

const pagePath = '/docs/';
const descriptionPath = '/docs/openapi.json';

/** What somebody finds who knows the address alone: a browser goes on to the page, a program reads where things are. */
const places = { docs: pagePath, openapi: descriptionPath, health: '/health/cluster' };

/**
 * `/` (where to look), `/docs/` (the page), `/docs/openapi.json` (the description); all without a key (protocol 07 §1.15). Files
 * are read, and the description is written, when somebody asks for them.
 */
export const addDocumentationRoutes = (instance: FastifyInstance, { title, clock, describe }: Documentation): void => {
  const description = freshDescription(clock, describe);
  instance.get('/', (_request, reply) =>
    reply.code(302).header('location', pagePath).type('application/json').send(JSON.stringify(places)),
  );
  instance.get('/docs', (request, reply) => {
    const [path, search] = request.url.split('?', 2);
    if (path === '/docs') {
      const location = `${pagePath}${search === undefined ? '' : `?${search}`}`;
      return reply.code(308).header('location', location).type('application/json').send(JSON.stringify({ location }));
    }
    return reply.type('text/html; charset=utf-8').send(page(title));
  });
  instance.get(descriptionPath, (_request, reply) => {
    return reply.type('application/json').send(description());
  });
  instance.get('/docs/start.js', (_request, reply) => reply.type(mediaTypes['.js']!).send(startScript));
  for (const file of servedFiles) {
    instance.get(`/docs/${file}`, async (_request, reply) =>
      reply.type(mediaTypes[extname(file)]!).send(await readFile(join(pageFolder(), file))),
    );
  }
};
