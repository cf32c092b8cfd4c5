import { describe, expect, it } from '@jest/globals';
import { StartFailure } from '@shardnode/core/process';
import { type ControlRequest } from '@shardnode/messages/cluster';
import { controlOf } from './service-control.js';

/** A service that starts and stops on command. */
class Service {
  state: 'running' | 'held' = 'running';
  failure: Error | undefined;
  readonly done: string[] = [];
  constructor(readonly name: string) {}
  async hold() {
    this.done.push('hold begins');
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.state = 'held';
    this.done.push('hold ends');
  }
  async release() {
    this.done.push('release');
    this.state = 'running';
    if (this.failure) throw this.failure;
    return { service: this.name, port: 12_981, pid: 1, startedInMs: 812 };
  }
  restart() {
    return this.release();
  }
}

const open = (folder = 'data/cluster') => {
  const [gateway, node] = [new Service('gateway'), new Service('group-node-1')];
  const told: string[] = [];
  const control = controlOf({ services: [gateway, node], folder, print: (line) => void told.push(line) });
  const ask = async (command: ControlRequest['command'], service = 'group-node-1') => {
    const { isDone, text } = await control({ command, service });
    return `${isDone ? 'done' : 'not'}: ${text}`;
  };
  return { node, told, control, ask };
};

describe('operations of the operator on services', () => {
  it('are answered with a sentence, a refusal also with the next step', async () => {
    const { ask, told } = open();
    const release = 'npm run operator -- release group-node-1';
    expect(await ask('release')).toBe(
      'not: group-node-1 is not held. To stop and start it: npm run operator -- restart group-node-1',
    );
    expect(await ask('hold')).toBe(`done: group-node-1 is stopped, and held until: ${release}`);
    expect(await ask('hold')).toBe(`not: group-node-1 is held already. To start it: ${release}`);
    expect(await ask('restart')).toBe(`not: group-node-1 is held. To start it: ${release}`);
    expect(await ask('release')).toBe('done: group-node-1 runs again, on port 12981, after 812 ms.');
    expect(await ask('restart')).toBe('done: group-node-1 runs again, on port 12981, after 812 ms.');
    expect(await ask('hold', 'node-1')).toBe('not: There is no service "node-1". There are:\n  gateway, group-node-1');
    expect(told).toHaveLength(3);
    expect(told[0]).toBe(`operator: group-node-1 is stopped, and held until: ${release}`);
  });

  it('name the data folder where it is not the usual one', async () => {
    const { ask } = open('/other');
    expect(await ask('hold')).toMatch(/release group-node-1 --cluster \/other$/);
  });

  it('report why a service does not start', async () => {
    const { ask, node } = open();
    node.failure = new StartFailure('The data of group 1 stands aside.');
    expect(await ask('restart')).toBe(
      'not: group-node-1 does not start: The data of group 1 stands aside.\nThe cluster goes on trying.',
    );
    node.failure = undefined;
    expect(await ask('restart')).toMatch(/^done/);
  });

  it('run one after the other, and the states are available at any time', async () => {
    const { control, node } = open();
    const service = node.name;
    const held = control({ command: 'hold', service });
    const released = control({ command: 'release', service });
    expect((await control({ command: 'services' })).services).toContainEqual({ name: service, state: 'running' });
    expect((await held).services).toContainEqual({ name: service, state: 'held' });
    expect((await released).services).toContainEqual({ name: service, state: 'running' });
    expect(node.done).toEqual(['hold begins', 'hold ends', 'release']);
  });
});
