import {
  developmentValues,
  fields,
  flag,
  flagAnswer,
  hash,
  hexText,
  list,
  meanings,
  optional,
  plainText,
  required,
  text,
  textOf,
  Val,
} from '@shardnode/http';
import { longestSource } from '@shardnode/messages';
import { sourceExamples } from './source-examples.js';

/* Requests (protocol 07 §10.4). */

const options = {
  ignoreUnusedConstantsWarnings: 'Warns of no unused constant or value of an enum',
  ignoreUnusedVariablesWarnings: 'Warns of no unused variable or map',
  ignoreUnusedFieldsWarnings: 'Warns of no unused field',
  ignoreUnusedPrivateFunctionsWarnings: 'Warns of no unused private function',
  ignoreUpdateFieldsCheckWarnings: 'Warns of no function that updates fields without saying so, or the reverse',
  ignoreCheckExternalCallerWarnings: 'Warns of no function that does not check its caller',
} as const;

export const compilerOptionNames = Object.keys(options);

const option = (name: keyof typeof options) => optional(flag(`${options[name]}; default false`, false));

const CompilerOptions = fields(
  {
    ignoreUnusedConstantsWarnings: option('ignoreUnusedConstantsWarnings'),
    ignoreUnusedVariablesWarnings: option('ignoreUnusedVariablesWarnings'),
    ignoreUnusedFieldsWarnings: option('ignoreUnusedFieldsWarnings'),
    ignoreUnusedPrivateFunctionsWarnings: option('ignoreUnusedPrivateFunctionsWarnings'),
    ignoreUpdateFieldsCheckWarnings: option('ignoreUpdateFieldsCheckWarnings'),
    ignoreCheckExternalCallerWarnings: option('ignoreCheckExternalCallerWarnings'),
  },
  { description: 'Warnings that are left out; the code is the same', id: 'CompilerOptions' },
);

const sourceOf = (example: string, description: string, id: string) =>
  fields(
    {
      code: required(text('Source text', example, longestSource)),
      compilerOptions: CompilerOptions.nullish().register(meanings, {
        description: 'Warnings that are left out; default: none',
        type: 'object',
      }),
    },
    { description, id },
  );

export const ScriptSource = sourceOf(sourceExamples.script, 'Source of a script', 'Script');
export const ContractSource = sourceOf(sourceExamples.contract, 'Source of a contract', 'Contract');
export const ProjectSource = sourceOf(sourceExamples.project, 'Source of contracts and scripts', 'Project');

/* Answers (protocol 06 §10.2 to §10.4). */

const { contract } = developmentValues;
const name = (what: string, example: string) => plainText(`Name of the ${what}`, example);
const names = (what: string, example: string) => list(name(what, example), `names of the ${what}s`);
const types = (what: string) => list(plainText(`Type of the ${what}`, 'U256'), `types of the ${what}s`);
const mutability = (what: string) =>
  list(flagAnswer(`Whether the ${what} can change`, false), `whether the ${what}s can change`);

const version = plainText('Version of the node', 'v2.14.9');
const warnings = list(
  plainText('The warning', 'Found unused fields in TokenFaucet: decimals'),
  'warnings, in the order in which the compiler found them',
);
const bytecodeDebugPatch = plainText(
  'Turns the bytecode into that with debug messages: `=n` takes n characters, `-n` drops n, `+text` inserts; empty: they are the same',
  '=22-1=1+9=151',
);

const fieldsSig = fields(
  { names: names('field', 'balance'), types: types('field'), isMutable: mutability('field') },
  { description: 'Fields, in order', id: 'FieldsSig' },
);

const functions = list(
  fields(
    {
      name: name('function', 'withdraw'),
      usePreapprovedAssets: flagAnswer('Whether it uses assets that the caller approves', false),
      useAssetsInContract: flagAnswer('Whether it uses assets of the contract', true),
      isPublic: flagAnswer('Whether others may call it', true),
      paramNames: names('parameter', 'amount'),
      paramTypes: types('parameter'),
      paramIsMutable: mutability('parameter'),
      returnTypes: types('result'),
    },
    { description: 'A function', id: 'FunctionSig' },
  ),
  'functions; the position is the index of the method',
);

export const CompileScriptResult = fields(
  {
    version,
    name: name('script', 'Main'),
    bytecodeTemplate: plainText('Bytecode, hexadecimal, with `{i}` in place of field i', '01010300000000020d{0}02'),
    bytecodeDebugPatch,
    fields: fieldsSig,
    functions,
    warnings,
  },
  { description: 'A compiled script', id: 'CompileScriptResult' },
);

export const CompileContractResult = fields(
  {
    version,
    name: name('contract', 'TokenFaucet'),
    bytecode: textOf(hexText, { description: 'Serialized contract', example: contract.code }),
    bytecodeDebugPatch,
    codeHash: textOf(hash, { description: 'Hash of the bytecode', example: contract.codeHash }),
    codeHashDebug: textOf(hash, { description: 'Hash of the bytecode with debug messages' }),
    fields: fieldsSig,
    functions,
    constants: list(
      fields({ name: name('constant', 'Most'), value: Val }, { description: 'A constant', id: 'Constant' }),
      'constants',
    ),
    enums: list(
      fields(
        {
          name: name('enum', 'FaucetError'),
          fields: list(
            fields(
              { name: name('value', 'InvalidWithdrawAmount'), value: Val },
              { description: 'A value of an enum', id: 'EnumField' },
            ),
            'values',
          ),
        },
        { description: 'An enum', id: 'Enum' },
      ),
      'enums',
    ),
    events: list(
      fields(
        { name: name('event', 'Withdraw'), fieldNames: names('field', 'amount'), fieldTypes: types('field') },
        { description: 'An event', id: 'EventSig' },
      ),
      'events; the position is the index of the event',
    ),
    warnings,
    maps: fields(
      { names: names('map', 'balances'), types: list(plainText('Type of the map', 'Map[Address,U256]'), 'types') },
      { description: 'Maps; absent: there are none', id: 'MapsSig' },
    ).optional(),
    stdInterfaceId: textOf(hexText, {
      description: 'Id of the standard interface that it follows; absent: none',
      example: '0001',
    }).optional(),
  },
  { description: 'A compiled contract', id: 'CompileContractResult' },
);

export const CompileProjectResult = fields(
  {
    contracts: list(CompileContractResult, 'contracts, in the order of the source'),
    scripts: list(CompileScriptResult, 'scripts, in the order of the source'),
    structs: list(
      fields(
        {
          name: name('struct', 'Balances'),
          fieldNames: names('field', 'amount'),
          fieldTypes: types('field'),
          isMutable: mutability('field'),
        },
        { description: 'A struct', id: 'StructSig' },
      ),
      'structs; absent: there are none',
    ).optional(),
  },
  { description: 'All that a source holds', id: 'CompileProjectResult' },
);
