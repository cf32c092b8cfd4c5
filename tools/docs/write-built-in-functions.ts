import { writeFileSync } from 'node:fs';
import { builtInFunctionsPage } from './built-in-functions-page.js';

writeFileSync(new URL('../../docs/built-in-functions.md', import.meta.url), builtInFunctionsPage());
