import 'reflect-metadata';
import { writeNatsConfiguration } from './write-nats-configuration.js';

try {
  process.stdout.write(`${writeNatsConfiguration(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
