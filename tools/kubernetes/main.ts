import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { tableLines } from '@shardnode/core/terminal';
import { alertsFile, renderAlerts } from './alerts.js';
import { identityOf, kindOf, nameOf } from './manifest.js';
import { overlays, problemsOf, renderOverlay, type Overlay } from './overlays.js';
import { kubernetesVersions } from './validate.js';

const usage = `usage: npm run k8s -- COMMAND
  check             renders the overlays of k8s/ and checks every resource; exit code 1 when something is wrong
  render OVERLAY    what would be applied, as YAML: ${overlays.join(', ')}
  alerts            writes k8s/monitoring/alerts.yaml from observability/alerts.yml`;

const check = (): number => {
  const rows = overlays.flatMap((overlay) => {
    const manifests = renderOverlay(overlay);
    const problems = problemsOf(manifests);
    return manifests.map((manifest) => {
      const own = problems.filter(({ identity }) => identity === identityOf(manifest)).map(({ text }) => text);
      return [overlay, kindOf(manifest), nameOf(manifest), own.length === 0 ? 'ok' : own.join('; ')];
    });
  });
  const columns = ['overlay', 'kind', 'name', 'verdict'].map((title) => ({ title }));
  const wrong = rows.filter(([, , , verdict]) => verdict !== 'ok').length;
  const lines = tableLines(columns, rows);
  process.stdout.write(
    `${lines.join('\n')}\n\n${rows.length - wrong} ok, ${wrong} wrong (Kubernetes ${kubernetesVersions.join(' and ')})\n`,
  );
  return wrong === 0 ? 0 : 1;
};

const commands: Readonly<Record<string, (words: readonly string[]) => number>> = {
  check,
  render: ([overlay]) => {
    if (!overlays.includes(overlay as Overlay)) return 2;
    process.stdout.write(
      renderOverlay(overlay as Overlay)
        .map((manifest) => stringify(manifest, { version: '1.1' }))
        .join('---\n'),
    );
    return 0;
  },
  alerts: () => {
    writeFileSync(alertsFile, renderAlerts());
    process.stdout.write(`${alertsFile} is written\n`);
    return 0;
  },
};

const [command = 'check', ...words] = process.argv.slice(2);
process.exitCode = commands[command]?.(words) ?? 2;
if (process.exitCode === 2) process.stderr.write(`${usage}\n`);
