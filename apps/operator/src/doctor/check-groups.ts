import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type HeldService } from '../cluster/held-services.js';
import { type GroupReport } from '../status/reports.js';
import { durationText, numberText } from '../terminal/quantities.js';
import { type Finding, fault, ok, warning } from './finding.js';

/** Milliseconds that clocks may differ; above it a group stops mining. */
const mostOffset = 5_000;
/** Blocks that a group may lack compared with a sibling, because blocks are made during the check. */
const mostBehind = 20;

type Answered = GroupReport & { readonly report: NonNullable<GroupReport['report']> };

const hasAnswered = (one: GroupReport): one is Answered => one.report !== undefined;

const missing = ({ group, failure }: GroupReport): Finding =>
  failure?.code === 'SenderNotPermitted'
    ? fault(
        'bus-permission',
        `group ${group}`,
        `the bus does not let this program ask it (${failure.message})`,
        'Take the user operator, and generate the configuration of NATS again with this version (docs/credentials.md).',
      )
    : fault(
        'group-missing',
        `group ${group}`,
        `its group-node does not answer (${failure?.message ?? 'no reason'}): nothing of this group can be read or sent`,
        `Start group-node-${group}; its log says why it ended. Has it the NATS_NAMESPACE of this command?`,
      );

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const offsetOf = ({ report, measuredAt }: Answered): number => Number(report.clock) - measuredAt;

/** Compares the clocks with each other, and with the one of this machine. */
const checkClocks = (answered: readonly Answered[]): Finding[] => {
  const middle = median(answered.map(offsetOf));
  const findings = answered.flatMap((one): Finding[] => {
    const off = one.report.clockOffset ?? offsetOf(one) - middle;
    if (Math.abs(off) <= mostOffset) return [];
    const direction = off > 0 ? 'ahead of' : 'behind';
    return [
      fault(
        'clock-off',
        `group ${one.group}`,
        `its clock is ${durationText(Math.abs(off))} ${direction} those of its siblings: it neither mines nor takes transactions`,
        'Set the clock of its machine, and synchronise it with NTP.',
      ),
    ];
  });
  if (Math.abs(middle) > mostOffset) {
    const text = `the clock of this machine is ${durationText(Math.abs(middle))} away from those of the group-nodes`;
    findings.push(warning('clock-here', 'this machine', text, 'Set this clock, or those of the group-nodes.'));
  }
  return findings.length > 0 || answered.length === 0
    ? findings
    : [ok('clocks', 'clocks', `those of ${answered.length} group-nodes agree`)];
};

const checkNetworks = (answered: readonly Answered[], settings: NetworkSettings): Finding[] => {
  const genesis = genesisBlocks(settings).map(({ header }) => header.hash);
  return answered.flatMap(({ group, report }): Finding[] => {
    const differs =
      report.networkId !== settings.networkId
        ? `its network has id ${report.networkId}, this command is set up for ${settings.networkId}`
        : report.genesis.join() !== genesis.join()
          ? 'its first blocks are others than those of GENESIS_FILE of this command'
          : undefined;
    if (differs === undefined) return [];
    const next =
      'Give all services and this command the same GENESIS_FILE; a database belongs to one network for ever.';
    return [fault('network-other', `group ${group}`, `${differs}: siblings refuse its blocks`, next)];
  });
};

const checkSync = (answered: readonly Answered[]): Finding[] =>
  answered.flatMap(({ group, report }): Finding[] => {
    const lacking = report.heights.map((height, chain) =>
      Math.max(0, ...answered.map((other) => other.report.heights[chain]! - height)),
    );
    const behind = lacking.reduce((sum, blocks) => sum + blocks, 0);
    const lag = `it lacks ${numberText(behind)} blocks that its siblings have`;
    if (report.split && report.clockOffset === undefined) {
      const next =
        'Both groups must follow the same rules and have the same history: compare versions, GENESIS_FILE and databases (docs/operations.md, A split).';
      return [fault('group-split', `group ${group}`, `not ready: ${report.reason ?? 'no reason'}`, next)];
    }
    if (!report.synced && report.clockOffset === undefined) {
      const next = 'It catches up by itself; look at the sibling that it names, or at its database.';
      return [fault('group-behind', `group ${group}`, `not ready: ${report.reason ?? 'no reason'}; ${lag}`, next)];
    }
    if (behind > mostBehind) {
      const next = `Wait a moment and ask again; if it stays so, look at the log of group-node-${group}.`;
      return [warning('group-behind', `group ${group}`, lag, next)];
    }
    return report.synced ? [ok('group', `group ${group}`, `ready, ${numberText(report.mempoolSize)} pending`)] : [];
  });

/** Compares the reports of the group-nodes. @param held services on hold */
export const checkGroups = (
  reports: readonly GroupReport[],
  settings: NetworkSettings,
  held: readonly HeldService[] = [],
): Finding[] => {
  const answered = reports.filter(hasAnswered);
  // The check of its port reports a group-node on hold.
  const isMissing = (one: GroupReport): boolean =>
    !hasAnswered(one) && !held.some(({ name }) => name === `group-node-${one.group}`);
  return [
    ...reports.filter(isMissing).map(missing),
    ...checkNetworks(answered, settings),
    ...checkSync(answered),
    ...checkClocks(answered),
  ];
};
