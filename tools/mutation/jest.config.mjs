import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const transformer = fileURLToPath(new URL('mutating-transformer.mjs', import.meta.url));

/** The projects of the repository, with the transformer that changes the file of the mutant. */
export default {
  ...base,
  rootDir,
  projects: base.projects.map(({ transform, ...project }) => ({
    ...project,
    rootDir,
    transform: Object.fromEntries(Object.entries(transform).map(([files, [, swc]]) => [files, [transformer, swc]])),
  })),
};
