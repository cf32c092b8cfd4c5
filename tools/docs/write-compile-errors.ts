import { writeFileSync } from 'node:fs';
import { compileErrorsPage } from './compile-errors-page.js';

writeFileSync(new URL('../../docs/compile-errors.md', import.meta.url), compileErrorsPage());
