import { htmlText } from '@shardnode/http/docs';
import { type ClusterView, type GroupView, type ServiceView } from './cluster-view.js';

const cell = (value: string | number | undefined): string => `<td>${htmlText(String(value ?? '–'))}</td>`;

const duration = (seconds: number | undefined): string => {
  if (seconds === undefined) return '–';
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
};

const problemsOf = ({ problems, reasons }: ServiceView): string => {
  if (!problems) return reasons.map((reason) => htmlText(reason)).join('<br>');
  return problems
    .map(({ check, reason, action, seconds }) => {
      const what = `<b>${htmlText(check)}</b>: ${htmlText(reason)}, for ${duration(seconds)}`;
      return action === undefined ? what : `${what}<br><small>${htmlText(action)}</small>`;
    })
    .join('<br>');
};

const stateOf = ({ ready }: ServiceView): string =>
  ready ? '<td class="good">ready</td>' : '<td class="bad">not ready</td>';

const pending = ({ mempool }: GroupView): string =>
  mempool === undefined
    ? '–'
    : `${mempool.size} of ${mempool.capacity}${mempool.size > 0 ? `, oldest ${duration(mempool.oldestSeconds)}` : ''}`;

const clockOf = ({ siblings = [] }: GroupView): string => {
  const offsets = siblings.flatMap(({ clockOffsetMs }) => (clockOffsetMs === undefined ? [] : [clockOffsetMs]));
  if (offsets.length === 0) return '–';
  const worst = offsets.reduce((most, offset) => (Math.abs(offset) > Math.abs(most) ? offset : most), 0);
  return `${worst} ms`;
};

const groupRow = (view: GroupView): string =>
  `<tr><th>${view.service}</th>${stateOf(view)}${cell(view.blocksBehind)}${cell(pending(view))}${cell(clockOf(view))}` +
  `${cell(view.version)}${cell(duration(view.uptimeSeconds))}<td>${problemsOf(view)}</td></tr>`;

const serviceRow = (view: ServiceView): string =>
  `<tr><th>${view.service}</th>${stateOf(view)}${cell(undefined)}${cell(undefined)}${cell(undefined)}` +
  `${cell(view.version)}${cell(duration(view.uptimeSeconds))}<td>${problemsOf(view)}</td></tr>`;

const chainRows = ({ groups }: ClusterView): string =>
  groups
    .flatMap((_, from) =>
      groups.map((__, to) => {
        const seen = groups.map(({ heights }) => heights?.[from]?.[to]);
        const highest = Math.max(0, ...seen.filter((height) => height !== undefined));
        const cells = seen.map((height) =>
          height === undefined || height === highest ? cell(height) : `<td class="bad">${height}</td>`,
        );
        return `<tr><th>${from} → ${to}</th>${cells.join('')}</tr>`;
      }),
    )
    .join('\n');

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; width: 100%; }
th, td { border-bottom: 1px solid #8885; padding: .35rem .7rem; text-align: left; vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
.good { color: #1a7f37; font-weight: 600; }
.bad { color: #cf222e; font-weight: 600; }
small { opacity: .75; }`;

/** Without scripts: it may load nothing. */
export const clusterPagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The view for a browser, refreshed every five seconds. */
export const clusterPage = (view: ClusterView): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.ready ? 'ready' : 'not ready'}: network ${view.networkId}</title>
<style>${style}</style>
</head>
<body>
<h1>Network ${view.networkId}: <span class="${view.ready ? 'good">ready' : 'bad">not ready'}</span></h1>
<p>${htmlText(view.at)}. The same for programs: <code>curl .../health/cluster</code></p>
<table>
<tr><th>Service</th><th>State</th><th>Blocks behind</th><th>Pending transactions</th><th>Clock</th><th>Version</th><th>Up for</th><th>What is wrong</th></tr>
${view.groups.map(groupRow).join('\n')}
${view.services.map(serviceRow).join('\n')}
</table>
<h2>Heights</h2>
<table>
<tr><th>Chain</th>${view.groups.map(({ group }) => `<th>as group ${group} sees it</th>`).join('')}</tr>
${chainRows(view)}
</table>
</body>
</html>
`;
