/** The rules that keep the house's arrows pointing one way (architecture, section 1). Each has a fixture that breaks it. */
export const boundaries = {
  '@nx/enforce-module-boundaries': [
    'error',
    {
      enforceBuildableLibDependency: false,
      // Specs stand outside the graph: it has no circle to be ignored.
      allow: [],
      depConstraints: [
        {
          sourceTag: 'type:rules',
          onlyDependOnLibsWithTags: ['type:rules'],
          allowedExternalImports: [
            '@noble/*',
            '@scure/*',
            'diff-match-patch',
            'hash-wasm',
            'hash-wasm/*',
            'secp256k1',
            'secp256k1/*',
            'tiny-secp256k1',
            'fast-check',
            '@jest/globals',
          ],
        },
        { sourceTag: 'type:kit', onlyDependOnLibsWithTags: ['type:kit'] },
        { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:contracts', 'type:kit', 'type:rules'] },
        {
          sourceTag: 'type:forms',
          onlyDependOnLibsWithTags: ['type:forms', 'type:contracts', 'type:kit', 'type:rules'],
        },
        {
          sourceTag: 'type:testing',
          onlyDependOnLibsWithTags: ['type:testing', 'type:contracts', 'type:kit', 'type:rules', 'type:forms'],
        },
        { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:kit', 'type:contracts', 'type:forms', 'type:rules'] },
        {
          sourceTag: 'type:composition',
          onlyDependOnLibsWithTags: ['type:app', 'type:kit', 'type:contracts', 'type:forms', 'type:rules'],
        },
        {
          // Runs the services as a whole network and judges what they did, with the tests' own judge.
          sourceTag: 'type:simulation',
          onlyDependOnLibsWithTags: [
            'type:app',
            'type:testing',
            'type:kit',
            'type:contracts',
            'type:forms',
            'type:rules',
          ],
        },
        {
          sourceTag: 'scope:gateway',
          notDependOnLibsWithTags: [
            'scope:group-node',
            'scope:wallet-service',
            'scope:explorer',
            'scope:localnet',
            'scope:operator',
            'scope:simulator',
          ],
        },
      ],
    },
  ],
};

/** The floors of libs/protocol, top down: each may use only its own row and those above it (architecture, section 1). */
const floors = [
  ['encoding', 'crypto', 'primitives'],
  ['script'],
  ['address', 'network'],
  ['transaction'],
  ['block'],
  ['dag'],
  ['state'],
  ['vm'],
  ['validation'],
  ['policy'],
  ['building', 'mining', 'dry-run'],
];

const noInputOutput = {
  regex: '^(node:.*|fs|path|crypto|os|worker_threads|pg|@nestjs/.*|@prisma/.*)$',
  message: 'The rules do no I/O: pass it in.',
};

/** `import(...)`, which `no-restricted-imports` does not look at: the same modules, and names that are not literal. */
const noDynamicInputOutput = [
  {
    selector: `ImportExpression[source.value=/${noInputOutput.regex.replaceAll('/', '\\/')}/]`,
    message: noInputOutput.message,
  },
  { selector: 'ImportExpression:not([source.type="Literal"])', message: 'Name the module that is imported.' },
];

/** libs/protocol and libs/compiler are pure: no I/O, clock, randomness or process (architecture, decisions 1 and 14). */
const pureRules = {
  'no-restricted-globals': [
    'error',
    'Date',
    'process',
    'Buffer',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'fetch',
    'console',
    'performance',
    'crypto',
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Math', property: 'random', message: 'Randomness is passed in.' },
    { object: 'globalThis', property: 'crypto' },
  ],
  'no-restricted-syntax': ['error', ...noDynamicInputOutput],
};

/**
 * One of several engines behind one interface: it takes `verify` of OpenSSL, a function of its arguments that does no I/O. Where
 * it is not there the engine in plain JavaScript takes its place, which judges whatever this one does not accept.
 */
const opensslEngine = {
  files: ['libs/protocol/src/crypto/ed25519-engine-openssl.ts'],
  rules: { 'no-restricted-syntax': ['error', noDynamicInputOutput[1]] },
};

/** One configuration a floor: what it may not import. */
const floorRules = floors.flatMap((row, index) =>
  row.map((floor) => ({
    files: [`libs/protocol/src/${floor}/**/*.ts`],
    ignores: ['**/*.spec.ts'],
    rules: {
      ...pureRules,
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            noInputOutput,
            ...(index + 1 < floors.length
              ? [
                  {
                    group: floors.slice(index + 1).flatMap((below) => below.map((name) => `**/${name}/index.js`)),
                    message: `The floor ${floor} stands above these.`,
                  },
                ]
              : []),
          ],
        },
      ],
    },
  })),
);

export const rulesLibraryFloors = [...floorRules, opensslEngine];

/**
 * One configuration for each folder of an ordered source: what it may not import.
 * @param source path of the folders
 * @param folders in order: each may use only itself and those before it
 * @param patterns imports that no folder may have
 * @param rules further rules of every folder
 */
const folderOrder = (source, folders, patterns = [], rules = {}) =>
  folders.map((folder, index) => {
    const later = folders.slice(index + 1);
    const noLaterFolder = {
      regex: `^(\\.\\./)+(${later.join('|')})/`,
      message: `The folder ${folder} comes before this one.`,
    };
    const refused = later.length > 0 ? [...patterns, noLaterFolder] : patterns;
    return {
      files: [`${source}/${folder}/**/*.ts`],
      ignores: ['**/*.spec.ts'],
      rules: { ...rules, ...(refused.length > 0 ? { 'no-restricted-imports': ['error', { patterns: refused }] } : {}) },
    };
  });

/** The folders of libs/compiler/src, in order: each may use only itself and those before it (architecture, section 1). */
const compilerFolders = [
  'errors',
  'lexer',
  'hash-orders',
  'parser',
  'types',
  'project',
  'built-ins',
  'checks',
  'generate',
  'results',
  'hints',
];

/** The rooms of apps/group-node/src, in order: each may use only itself and those before it (architecture, section 1). */
const groupNodeRooms = [
  // Prisma's client.
  'generated',
  'store',
  'dag',
  'event-loop',
  'requests',
  'memory',
  'signatures',
  'view',
  'writer',
  'contracts',
  'feed',
  'import',
  'start',
  'pruning',
  'intake',
  'sync',
  'mining',
  'mempool',
  'building',
  'rpc',
];

/** The folders of apps/explorer/src, in order: each may use only itself and those before it (architecture, section 1). */
const explorerFolders = [
  // Prisma's client.
  'generated',
  'answers',
  'database',
  'blocks',
  'reads',
  'group-nodes',
  'development',
  'index-store',
  'metadata',
  'export',
  'background',
  'live',
  'rule-audit',
  'index-check',
  'following',
  'jobs',
  'api',
  'docs',
  'openapi',
  'web-page',
];

/** The folders of libs/core/src, in order. */
const coreFolders = [
  'concurrency',
  'errors',
  'eviction',
  'hosts',
  'lifecycle',
  'system-processes',
  'terminal',
  'configuration',
  'http-limits',
  'observability',
  'http-server',
  'tls',
  'bus',
  'cache',
  'database',
  'credentials',
  'process',
  'servers',
  'service',
];

/** The folders of libs/http/src, in order. */
const httpFolders = ['page-paths', 'searched-text', 'brand', 'schemas', 'errors', 'openapi', 'large-answers', 'docs'];

/** The folders of apps/operator/src, in order. */
const operatorFolders = [
  'cluster',
  'databases',
  'network',
  'terminal',
  'backup',
  'blocks',
  'credentials',
  'state',
  'status',
  'wipe',
  'doctor',
];

/** Files beside the folders wire them together: no folder knows them. Those of `base` stand below all folders. */
const noWiring = (base = []) => ({
  regex: `^\\.\\./${base.length > 0 ? `(?!(${base.join('|')})\\.js$)` : ''}[^/]+\\.js$`,
  message: 'Only the wiring knows the wiring.',
});

/** Sources whose folders have an order; every folder must have its place in it. */
export const orderedFolders = {
  'libs/compiler/src': compilerFolders,
  'apps/group-node/src': groupNodeRooms,
  'apps/explorer/src': explorerFolders,
  'apps/operator/src': operatorFolders,
  'libs/core/src': coreFolders,
  'libs/http/src': httpFolders,
};

export const folderOrders = [
  {
    files: ['libs/compiler/src/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { ...pureRules, 'no-restricted-imports': ['error', { patterns: [noInputOutput] }] },
  },
  ...folderOrder('libs/compiler/src', compilerFolders, [noInputOutput], pureRules),
  ...folderOrder('apps/group-node/src', groupNodeRooms, [noWiring()]),
  ...folderOrder('apps/explorer/src', explorerFolders, [noWiring(['errors', 'settings'])]),
  ...folderOrder('apps/operator/src', operatorFolders, [noWiring(['command', 'settings', 'words'])]),
  ...folderOrder('libs/core/src', coreFolders),
  ...folderOrder('libs/http/src', httpFolders),
];
