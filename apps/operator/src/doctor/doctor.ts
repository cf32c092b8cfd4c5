import { countText } from '@shardnode/core/terminal';
import { type CommandInput } from '../command.js';
import { findLocalNetwork, type LocalNetwork, readLocalHealth } from '../network/local-network.js';
import { explorerReports } from '../status/explorers.js';
import { groupReports } from '../status/reports.js';
import { heldServices } from '../cluster/held-services.js';
import { terminalColumns, wrapped } from '../terminal/wrap.js';
import { parseWords } from '../words.js';
import { checkBus } from './check-bus.js';
import { checkDatabases } from './check-databases.js';
import { checkGroups } from './check-groups.js';
import { checkLocalNetwork } from './check-local-network.js';
import { checkNode, checkTimeService } from './check-machine.js';
import { checkPorts } from './check-ports.js';
import { checkRedis } from './check-redis.js';
import { type Finding, type Outcome, skipped } from './finding.js';
import { readDoctorSettings } from './settings.js';

const examineLocal = async (local: LocalNetwork): Promise<readonly Finding[]> => {
  const [health, explorers, time] = await Promise.all([
    readLocalHealth(local),
    explorerReports([local.explorer]),
    checkTimeService(),
  ]);
  return [checkNode(process.versions.node), ...checkLocalNetwork(local, health, explorers), ...[time].flat()];
};

/** Runs all checks; none of them changes anything. @throws ConfigurationError */
export const examine = async ({
  environment,
  cluster,
}: Pick<CommandInput, 'environment' | 'cluster'>): Promise<readonly Finding[]> => {
  const local = findLocalNetwork({ environment, cluster });
  if (local) return examineLocal(local);
  const given = readDoctorSettings(environment);
  const { settings, network } = given;
  const bus = await checkBus(given);
  try {
    const held = await heldServices(cluster);
    const reports = bus.client ? await groupReports(bus.client) : [];
    const groups = bus.client
      ? checkGroups(reports, network, held)
      : [skipped('group', 'groups', 'not checked: the bus is not reachable')];
    const rest = await Promise.all([
      checkTimeService(),
      checkDatabases(environment, network.groups, settings.DISK_FOLDERS),
      checkRedis(given),
      checkPorts(given, { reports, busIds: bus.busIds, held }),
    ]);
    return [checkNode(process.versions.node), ...bus.findings, ...groups, ...rest.flat()];
  } finally {
    await bus.close();
  }
};

const marks: Readonly<Record<Outcome, string>> = {
  ok: 'ok     ',
  warning: 'warning',
  fault: 'FAULT  ',
  skipped: '-      ',
};
const colours: Readonly<Record<Outcome, string>> = { ok: '32', warning: '33', fault: '31', skipped: '90' };

/** The first line after `first`, the others with the same indent. */
const hanging = (first: string, width: number, text: string): string[] =>
  wrapped(text, terminalColumns - width).map((line, i) => `${i === 0 ? first : ' '.repeat(width)}${line}`);

const linesOf = ({ outcome, what, text, next }: Finding, width: number, isTerminal: boolean): string[] => {
  const mark = isTerminal ? `\u001b[${colours[outcome]}m${marks[outcome]}\u001b[0m` : marks[outcome];
  const indent = width + marks[outcome].length + 4;
  const arrow = `${' '.repeat(indent)}-> `;
  return [
    ...hanging(`${mark}  ${what.padEnd(width)}  `, indent, text),
    ...(next === undefined ? [] : hanging(arrow, arrow.length, next)),
  ];
};

/** The findings for people: a line for each check, and the next step. */
export const findingsText = (findings: readonly Finding[], isTerminal: boolean): string => {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const count = (wanted: Outcome): number => findings.filter(({ outcome }) => outcome === wanted).length;
  const end =
    count('fault') + count('warning') === 0
      ? 'Nothing is wrong.'
      : `${countText(count('fault'), 'fault')}, ${countText(count('warning'), 'warning')}.`;
  return [...findings.flatMap((finding) => linesOf(finding, width, isTerminal)), '', end, ''].join('\n');
};

/** `doctor`: 0 without a fault. */
export const runDoctor = async (input: CommandInput): Promise<number> => {
  const { words } = input;
  const { json = false } = parseWords(words, { json: { type: 'boolean' } });
  const findings = await examine(input);
  const isTerminal = process.stdout.isTTY === true;
  process.stdout.write(json ? `${JSON.stringify({ findings })}\n` : findingsText(findings, isTerminal));
  return findings.some(({ outcome }) => outcome === 'fault') ? 1 : 0;
};
