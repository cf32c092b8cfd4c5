import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { type Role } from '../../apps/gateway/src/access/roles.js';
import { controllers as explorerControllers } from '../../apps/explorer/src/explorer-api.js';
import { GatewayModule, type OpenedPorts } from '../../apps/gateway/src/gateway.module.js';
import { operationOfRoute } from '../../apps/gateway/src/operations/operation.js';

/** An operation of the API as the gateway routes it. */
export interface ApiOperation {
  readonly method: string;
  /** `/wallets/:wallet_name` */
  readonly path: string;
  readonly role: Role;
}

const metadata = <T>(key: string, target: object): T | undefined => Reflect.getMetadata(key, target) as T | undefined;

const methodsOf = ({ prototype }: Type): readonly object[] =>
  Object.getOwnPropertyNames(prototype)
    .map((name) => (prototype as Readonly<Record<string, unknown>>)[name])
    .filter((value) => typeof value === 'function');

const pathOf = (...parts: readonly (string | undefined)[]): string =>
  `/${parts
    .join('/')
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;

/** Path of a handler below its controller; undefined for a method that is no handler. */
const pathOfHandler = (controller: Type, handler: object): string | undefined => {
  const own = metadata<string>(PATH_METADATA, handler);
  return own === undefined ? undefined : pathOf(metadata<string>(PATH_METADATA, controller), own);
};

const operationsOf = (controller: Type): readonly ApiOperation[] =>
  methodsOf(controller).flatMap((handler) => {
    const operation = operationOfRoute(metadata(FASTIFY_ROUTE_CONFIG_METADATA, handler));
    if (!operation) return [];
    const method = RequestMethod[metadata<RequestMethod>(METHOD_METADATA, handler)!];
    return [{ method, path: pathOfHandler(controller, handler)!, role: operation.role }];
  });

/** Of its page, which is no controller: the files, and what the script of the page shows (`apps/explorer/web`). */
const pagePaths = [
  'assets/:name',
  ...['block/:hash', 'tx/:hash', 'address/:address', 'token/:id', 'chain/:from/:to'],
  ...['pending', 'stats', 'richlist', 'about'],
].map((path) => `/${path}`);

/** Paths of the explorer, likewise. */
export const explorerPaths = (): readonly string[] => [
  ...pagePaths,
  ...explorerControllers.flatMap((controller) =>
    methodsOf(controller).flatMap((handler) => pathOfHandler(controller, handler) ?? []),
  ),
];

/** Every operation, by the declarations of the controllers: no gateway is started for it. */
export const apiOperations = (): readonly ApiOperation[] => {
  const { imports = [] } = GatewayModule.of({} as OpenedPorts, { walletEnabled: true });
  return (imports as readonly (Type | DynamicModule)[])
    .flatMap((area) => ('module' in area ? [] : (metadata<readonly Type[]>(MODULE_METADATA.CONTROLLERS, area) ?? [])))
    .flatMap(operationsOf);
};
