import { lockedPackages } from './lock.js';
import { licenceReport } from './licences.js';

const [file = new URL('../../package-lock.json', import.meta.url)] = process.argv.slice(2);
const shipped = lockedPackages(file).filter(({ isProduction }) => isProduction);
const { text, passes } = licenceReport(shipped, process.stdout.columns ?? 120);
process.stdout.write(`${text}\n`);
process.exitCode = passes ? 0 : 1;
