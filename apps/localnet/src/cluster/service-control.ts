import { StartFailure } from '@shardnode/core/process';
import { operatorCommand, type ControlReply, type ControlRequest } from '@shardnode/messages/cluster';
import { type ChildService } from '../child-service.js';

type Controlled = Pick<ChildService, 'name' | 'state' | 'hold' | 'release' | 'restart'>;

type ChangeRequest = Exclude<ControlRequest, { readonly command: 'services' }>;
type Outcome = Pick<ControlReply, 'isDone' | 'text'>;

export interface ControlParts {
  readonly services: readonly Controlled[];
  /** Data folder of the cluster. */
  readonly folder: string;
  /** Called for each change. */
  readonly print: (line: string) => void;
}

const done = (text: string): Outcome => ({ isDone: true, text });
const refused = (text: string): Outcome => ({ isDone: false, text });

const started = async ({ name }: Controlled, start: () => ReturnType<Controlled['release']>): Promise<Outcome> => {
  try {
    const { port, startedInMs } = await start();
    return done(`${name} runs again, on port ${port}, after ${startedInMs} ms.`);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return refused(`${name} does not start: ${error.message}\nThe cluster goes on trying.`);
  }
};

const commands: Readonly<Record<ChangeRequest['command'], (service: Controlled, folder: string) => Promise<Outcome>>> =
  {
    hold: async (service, folder) => {
      const { name, state } = service;
      if (state === 'held')
        return refused(`${name} is held already. To start it: ${operatorCommand(folder, 'release', name)}`);
      await service.hold();
      return done(`${name} is stopped, and held until: ${operatorCommand(folder, 'release', name)}`);
    },
    release: async (service, folder) => {
      const { name, state } = service;
      if (state !== 'held')
        return refused(`${name} is not held. To stop and start it: ${operatorCommand(folder, 'restart', name)}`);
      return started(service, () => service.release());
    },
    restart: async (service, folder) => {
      const { name, state } = service;
      if (state === 'held') return refused(`${name} is held. To start it: ${operatorCommand(folder, 'release', name)}`);
      return started(service, () => service.restart());
    },
  };

const carryOut = async ({ services, folder }: ControlParts, request: ChangeRequest): Promise<Outcome> => {
  const service = services.find(({ name }) => name === request.service);
  if (service) return commands[request.command](service, folder);
  const names = services.map(({ name }) => name).join(', ');
  return refused(`There is no service ${JSON.stringify(request.service)}. There are:\n  ${names}`);
};

/** Operations of the operator on the services of a running cluster. One change at a time. Never rejects. */
export const controlOf = (parts: ControlParts): ((request: ControlRequest) => Promise<ControlReply>) => {
  let last: Promise<unknown> = Promise.resolve();
  const change = async (request: ChangeRequest): Promise<Outcome> => {
    const outcome = await carryOut(parts, request).catch((error: unknown) => refused(String(error)));
    if (outcome.isDone) parts.print(`operator: ${outcome.text}`);
    return outcome;
  };
  const exclusively = (request: ChangeRequest): Promise<Outcome> => {
    const outcome = last.then(() => change(request));
    last = outcome;
    return outcome;
  };
  return async (request) => ({
    ...(request.command === 'services' ? done('') : await exclusively(request)),
    services: parts.services.map(({ name, state }) => ({ name, state })),
  });
};
