import { tableLines } from '@shardnode/core/terminal';
import { type LocalHealth, type LocalNetwork, howToReach, localNetworkText } from '../network/local-network.js';
import { numberText } from '../terminal/quantities.js';

const columns = [
  { title: 'group', right: true },
  { title: 'ready' },
  { title: 'own heights' },
  { title: 'behind', right: true },
  { title: 'pending', right: true },
];

const counted = (count: number | undefined): string => (count === undefined ? '' : numberText(count));

/** A line for each group, with a heading; below it why a service is not ready. */
export const localStatusLines = (network: LocalNetwork, health: LocalHealth | undefined): string[] => {
  if (health === undefined) return [localNetworkText(network), '', `Nothing answers there as it would. ${howToReach}`];
  const { groups, services, networkId } = health;
  const rows = groups.map(({ group, ready, heights, blocksBehind, mempool }) => [
    String(group),
    ready ? 'yes' : 'no',
    (heights?.[group] ?? []).map(numberText).join(' '),
    counted(blocksBehind),
    counted(mempool?.size),
  ]);
  const reasons = [...groups, ...services].flatMap(({ service, reasons: all }) =>
    all.map((reason) => `${service}: ${reason}`),
  );
  const ready = groups.filter((group) => group.ready).length;
  return [
    localNetworkText(network),
    '',
    `Network id ${networkId}: ${ready} of ${groups.length} groups ready`,
    '',
    ...tableLines(columns, rows),
    ...(reasons.length === 0 ? [] : ['', ...reasons]),
  ];
};
