import { writeFileSync } from 'node:fs';
import { metricsPage } from './metrics-page.js';

writeFileSync(new URL('../../docs/metrics.md', import.meta.url), metricsPage());
