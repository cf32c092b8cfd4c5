import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** A problem that the operator can fix. */
export class ContainersFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ContainersFailure';
  }
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const words = z.array(text);

const condition = z.strictObject({
  condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
});

const healthcheck = z.strictObject({
  test: words,
  interval: text.optional(),
  timeout: text.optional(),
  retries: z.number().optional(),
  start_period: text.optional(),
});

/**
 * The part of the Compose specification that docker-compose.yml uses. An unknown word is refused, because it would be
 * ignored silently.
 */
const serviceSchema = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), target: z.string() }).optional(),
  profiles: words.default([]),
  user: text,
  entrypoint: words.optional(),
  command: words.optional(),
  environment: z.record(z.string(), text).default({}),
  volumes: words.default([]),
  networks: words.default([]),
  network_mode: z.enum(['none']).optional(),
  ports: words.default([]),
  depends_on: z.record(z.string(), condition).default({}),
  healthcheck: healthcheck.optional(),
  read_only: z.boolean().default(false),
  cap_drop: words.default([]),
  security_opt: words.default([]),
  tmpfs: words.default([]),
  pids_limit: z.number().optional(),
  mem_limit: text.optional(),
  shm_size: text.optional(),
  restart: text.optional(),
  stop_signal: text.optional(),
  stop_grace_period: text.optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), text).default({}) }).optional(),
});

const composeSchema = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().default(false) })),
  volumes: z.record(z.string(), z.strictObject({})),
});

export type ComposeService = z.infer<typeof serviceSchema>;
export type ComposeFile = z.infer<typeof composeSchema>;
export type Variables = Readonly<Record<string, string | undefined>>;

const variable = /\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})/g;

/** `${NAME}` and `${NAME:-otherwise}` as Compose reads them; `$$` is a dollar. */
export const interpolate = (value: string, variables: Variables): string =>
  value.replace(variable, (whole, name: string | undefined, otherwise = '') =>
    name === undefined ? whole.slice(1) : variables[name] || otherwise,
  );

const interpolateAll = (value: unknown, variables: Variables): unknown => {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((one) => interpolateAll(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, interpolateAll(one, variables)]));
};

/** The file as YAML reads it, before variables are put in. */
export const readComposeYaml = (folder: string): unknown =>
  parse(readFileSync(join(folder, 'docker-compose.yml'), 'utf8'), { merge: true }) as unknown;

/** @throws ContainersFailure that names the place in the file */
export const readComposeFile = (folder: string, variables: Variables): ComposeFile => {
  const parsed = composeSchema.safeParse(interpolateAll(readComposeYaml(folder), variables));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `docker-compose.yml, ${path.join('.')}: ${message}`);
  throw new ContainersFailure(lines.join('\n'));
};

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** `1m30s` in seconds. */
export const secondsOf = (duration: string): number => {
  const parts = [...duration.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration)
    throw new ContainersFailure(`docker-compose.yml: ${duration} is no duration like 1m30s`);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
};

/** The services of these profiles and those without one, each after its dependencies. */
export const servicesInOrder = (file: ComposeFile, profiles: readonly string[]): readonly string[] => {
  const isWanted = (name: string): boolean => {
    const { profiles: own } = file.services[name]!;
    return own.length === 0 || own.some((profile) => profiles.includes(profile));
  };
  const order: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (order.includes(name)) return;
    if (path.includes(name))
      throw new ContainersFailure(`docker-compose.yml: ${[...path, name].join(' -> ')} is a circle`);
    const service = file.services[name];
    if (!service) throw new ContainersFailure(`docker-compose.yml: there is no service ${name}`);
    for (const other of Object.keys(service.depends_on)) visit(other, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(file.services).filter(isWanted)) visit(name, []);
  return order;
};
