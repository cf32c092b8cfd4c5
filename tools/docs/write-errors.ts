import { writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.js';

writeFileSync(new URL('../../docs/errors.md', import.meta.url), errorsPage());
