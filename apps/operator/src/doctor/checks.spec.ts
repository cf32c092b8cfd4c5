import { describe, expect, it } from '@jest/globals';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { ServiceError } from '@shardnode/core/errors';
import { networkIdentity } from '@shardnode/messages/network';
import { genesisBlocks } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { statusLines } from '../status/status.js';
import { type GroupReport } from '../status/reports.js';
import { checkGroups } from './check-groups.js';
import { checkDisk, checkNode } from './check-machine.js';
import { checkPorts } from './check-ports.js';
import { findingsText } from './doctor.js';
import { fault, ok } from './finding.js';
import { readDoctorSettings } from './settings.js';

const genesis = genesisBlocks(developmentNetwork).map(({ header }) => header.hash);
const heights = Array.from({ length: 16 }, () => 100);

const reportOf = (group: number, changes: object = {}, clock = 1_000_000): GroupReport => ({
  group,
  measuredAt: 1_000_000,
  took: 3,
  report: {
    group,
    synced: true,
    mempoolSize: 7,
    networkId: 4,
    genesis,
    heights,
    buffered: 0,
    clock: String(clock),
    ...changes,
  },
});
const silent = (group: number, code: string): GroupReport => ({
  group,
  measuredAt: 0,
  took: 2_000,
  failure: new ServiceError('unavailable', code, 'The group-node is not available'),
});
const wrongs = (reports: readonly GroupReport[]): string[] =>
  checkGroups(reports, developmentNetwork).flatMap(({ outcome, code, what }) =>
    outcome === 'ok' ? [] : [`${outcome} ${code}: ${what}`],
  );
const well = [0, 1, 2, 3].map((group) => reportOf(group));
const with3 = (report: GroupReport): readonly GroupReport[] => [...well.slice(0, 3), report];

describe('the reports of group-nodes', () => {
  it('are compared', () => {
    expect(wrongs(well)).toEqual([]);
    expect(wrongs(with3(silent(3, 'NoResponder')))).toEqual(['fault group-missing: group 3']);
    expect(wrongs(with3(silent(3, 'SenderNotPermitted')))).toEqual(['fault bus-permission: group 3']);
    expect(wrongs(with3(reportOf(3, { networkId: 7 })))).toEqual(['fault network-other: group 3']);
    expect(wrongs(with3(reportOf(3, { genesis: [] })))).toEqual(['fault network-other: group 3']);
    expect(wrongs(with3(reportOf(3, { synced: false, reason: 'it waits for group 1' })))).toEqual([
      'fault group-behind: group 3',
    ]);
    const split = { sibling: 1, block: genesis[4], from: 1, to: 0, cause: 'InvalidWorkTarget' };
    expect(wrongs(with3(reportOf(3, { synced: false, reason: 'group 1 builds on it', split })))).toEqual([
      'fault group-split: group 3',
    ]);
    const behind = heights.map((height, chain) => (chain === 5 ? height - 50 : height));
    expect(wrongs(with3(reportOf(3, { heights: behind })))).toEqual(['warning group-behind: group 3']);
  });

  it('show which clock is off, and whether it is ours', () => {
    expect(wrongs(with3(reportOf(3, {}, 1_006_000)))).toEqual(['fault clock-off: group 3']);
    expect(wrongs(with3(reportOf(3, { synced: false, clockOffset: -9_000 })))).toEqual(['fault clock-off: group 3']);
    expect(wrongs([0, 1, 2, 3].map((group) => reportOf(group, {}, 990_000)))).toEqual([
      'warning clock-here: this machine',
    ]);
  });

  it('are a table', () => {
    const lines = statusLines(with3(silent(3, 'NoResponder')));
    expect(lines[2]).toBe('    0  yes    100 100 100 100       0        7        0   0 ms    3 ms');
    expect(lines.slice(5)).toEqual(['    3  no', '', 'group 3: The group-node is not available']);
    const held = ['group-node-3', 'gateway'].map((name) => ({ name, release: `release ${name}` }));
    expect(statusLines(with3(silent(3, 'NoResponder')), held).slice(7)).toEqual([
      'group-node-3 is held. To start it: release group-node-3',
      'gateway is held. To start it: release gateway',
    ]);
  });
});

describe('the machine', () => {
  it('needs a Node.js that is new enough', () => {
    const outcomes = ['20.19.0', '23.11.0', '24.0.0', '26.12.1'].map((version) => checkNode(version).outcome);
    expect(outcomes).toEqual(['fault', 'fault', 'ok', 'ok']);
  });

  it('may lack a folder', async () => {
    expect(await checkDisk('/no/such/folder')).toMatchObject({
      outcome: 'skipped',
      text: expect.stringContaining('ENOENT'),
    });
  });
});

const nothingSeen = { reports: [], busIds: [], held: [] };

describe('a port', () => {
  it('whose program does not respond may be the service itself, so the remedy does not stop it', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const [finding] = await checkPorts(readDoctorSettings({ SERVICES: `gateway=127.0.0.1:${port}` }), nothingSeen);
    expect(finding).toMatchObject({ code: 'service-silent', outcome: 'fault', what: 'gateway' });
    expect(finding?.next).not.toContain('Stop');
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('the program at the port of a service', () => {
  const wellKnown = {
    live: true,
    service: 'gateway',
    namespace: 'coin',
    bus: 'NA',
    network: networkIdentity(developmentNetwork),
  };
  const judged = async (live: object, changes: object = {}): Promise<string> => {
    const server = createHttpServer((request, response) =>
      response.end(JSON.stringify(request.url === '/health/live' ? live : { ready: true })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const settings = readDoctorSettings({ SERVICES: `gateway=127.0.0.1:${port}` });
    const [finding] = await checkPorts({ ...settings, ...changes }, { ...nothingSeen, busIds: ['NA', 'NB'] });
    server.close();
    const { outcome, code, text } = finding!;
    return `${outcome} ${code}: ${text.replace(String(port), 'PORT')}`;
  };
  const other = 'fault service-other: a service answers at 127.0.0.1:PORT, but it is';

  it('is the service of this network', async () => {
    expect(await judged(wellKnown)).toBe('ok service: answers at 127.0.0.1:PORT');
    expect(await judged({ ...wellKnown, bus: undefined })).toBe('ok service: answers at 127.0.0.1:PORT');
    // An older version reports nothing more.
    expect(await judged({ live: true })).toBe('ok service: answers at 127.0.0.1:PORT');
  });

  it('is another service, or one of another network', async () => {
    expect(await judged({ ...wellKnown, service: 'group-node-1' })).toBe(`${other} group-node-1, not gateway`);
    expect(await judged({ ...wellKnown, namespace: 'second' })).toBe(
      `${other} that of another network: its NATS_NAMESPACE is second, not coin`,
    );
    expect(await judged({ ...wellKnown, bus: 'NC' })).toBe(
      `${other} that of another network: it speaks over another bus`,
    );
    expect(await judged({ ...wellKnown, network: 'network 7, genesis 0' })).toMatch(
      /another network: network 7,.*not network 4,/,
    );
    expect(await judged({ ok: true })).toMatch(/^fault port-busy: another program/);
  });

  it('is an explorer whose supply audit has found something, or nothing', async () => {
    const found = async (count: number) => {
      const server = createHttpServer(({ url }, response) => {
        const metrics = `explorer_audit_findings{service="explorer"} ${count}\n`;
        response.end(url === '/metrics' ? metrics : JSON.stringify({ live: true, ready: true }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const [finding] = await checkPorts(readDoctorSettings({ SERVICES: `explorer=127.0.0.1:${port}` }), nothingSeen);
      server.close();
      return finding;
    };
    expect(await found(0)).toMatchObject({ code: 'service', outcome: 'ok' });
    expect(await found(2)).toMatchObject({
      code: 'supply-audit',
      outcome: 'fault',
      what: 'explorer',
      text: expect.stringContaining('2 blocks') as unknown,
    });
  });

  it('is no fault at a default address', async () => {
    expect(await judged({ ...wellKnown, bus: 'NC' }, { placesAreGiven: false })).toMatch(/^warning service-other: /);
  });

  it('is not checked while the service is held', async () => {
    const held = [{ name: 'group-node-3', release: 'release it' }];
    const settings = readDoctorSettings({ SERVICES: 'group-node-3=127.0.0.1:1' });
    expect(await checkPorts(settings, { ...nothingSeen, held })).toEqual([
      expect.objectContaining({ code: 'service-held', outcome: 'warning', next: 'To start it: release it' }),
    ]);
    expect(checkGroups(with3(silent(3, 'NoResponder')), developmentNetwork, held)).not.toContainEqual(
      expect.objectContaining({ code: 'group-missing' }),
    );
  });
});

describe('the answer', () => {
  it('has a line for each check, the next step below it, and the sum', () => {
    const text = findingsText([ok('a', 'bus', 'answers'), fault('b', 'group 2', 'is missing', 'Start it.')], false);
    expect(text.split('\n')).toEqual([
      'ok       bus      answers',
      'FAULT    group 2  is missing',
      '                  -> Start it.',
      '',
      '1 fault, 0 warnings.',
      '',
    ]);
  });

  it('fits a terminal of 100 columns', () => {
    const long = 'a sentence that goes on and on '.repeat(9).trim();
    const lines = findingsText([fault('b', 'database shardnode_group_2', long, long)], false).split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.join(' ').replace(/ +/g, ' ')).toContain(`${long} -> ${long}`);
    expect(lines[1]).toMatch(/^ {37}\S/);
  });
});
