import { describe, expect, it } from '@jest/globals';
import { unknownSettings } from './index.js';

const known =
  'HOST PORT WS_PORT MINING MINING_INTERVAL API_KEY API_KEY_FILE WALLET_LOCK_TIMEOUT LOG_LEVEL NATS_URL'.split(' ');
const told = (name: string, wholeFamilies = true): string | undefined =>
  /did you mean (.+)\?$/.exec(unknownSettings(known, { [name]: 'x' }, { wholeFamilies })[0] ?? '')?.[1];

describe('variables that resemble settings and are none', () => {
  it.each([
    ['MINNING', 'MINING'],
    ['MINIGN', 'MINING'],
    ['PORTS', 'PORT'],
    ['PROT', 'PORT'],
    ['API_KEYS', 'API_KEY'],
    ['MINING_INTERVALL', 'MINING_INTERVAL'],
    ['MINNING_INTERVALL', 'MINING_INTERVAL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['NATS_URI', 'NATS_URL'],
    ['WALLET_TIMEOUT', 'WALLET_LOCK_TIMEOUT'],
    ['MINING_SECONDS', 'MINING or MINING_INTERVAL'],
  ])('%s: %s', (name, nearest) => {
    expect(told(name)).toBe(nearest);
  });

  it('are reported in one sentence each', () => {
    expect(unknownSettings(known, { MINNING: 'off', PATH: '/bin', PORT: '1', PORTS: '' })).toEqual([
      'MINNING is not a setting and is ignored; did you mean MINING?',
      'PORTS is not a setting and is ignored; did you mean PORT?',
    ]);
  });

  it('include families only if all settings are known', () => {
    expect(told('MINING_SECONDS', false)).toBeUndefined();
    expect(told('MINNING', false)).toBe('MINING');
  });

  it.each(known)('do not include %s, which is one', (name) => {
    expect(told(name)).toBeUndefined();
  });

  it.each(
    // Variables of shells, desktops, npm, containers and other programs.
    (
      'PATH HOME HOSTNAME HOSTTYPE USER LOGNAME SHELL TERM LANG LC_ALL PWD OLDPWD MAIL SHLVL EDITOR DISPLAY TZ TMPDIR NODE INIT_CWD ' +
      'COLOR CI NODE_ENV NODE_OPTIONS NO_COLOR FORCE_COLOR XDG_DATA_DIRS SSH_AUTH_SOCK DB_HOST DB_PORT PGHOST PGPORT APP_PORT ' +
      'OPENAI_API_KEY API_URL API_TOKEN NATS_SERVICE_HOST NATS_PORT_4222_TCP_ADDR REDIS_HOST LOG_DIR KUBERNETES_PORT npm_config_port ' +
      'GROUPS DATABASE_NAME DATA_HOME POSTGRES_DB'
    ).split(' '),
  )('not %s, which belongs to others', (name) => {
    expect(told(name)).toBeUndefined();
  });
});
