import { checkAssetScript } from '../checks/script.js';
import { EntityContext, newOperation } from '../checks/entity-context.js';
import { checkExpression } from '../checks/expression-types.js';
import { checkMethods } from '../generate/method-checks.js';
import { assetScriptMethods } from '../generate/methods.js';
import { parseAssetScript } from '../parser/index.js';
import { TypeTable } from '../types/type-table.js';
import { bytecodeTemplate } from './bytecode.js';
import { shownWarnings } from './options.js';

export interface AssetScriptResult {
  readonly name: string;
  readonly bytecodeTemplate: string;
  readonly warnings: readonly string[];
}

/** A stateless script, the code of a p2sh unlock; no HTTP operation compiles one (protocol 06 §1.1). @throws CompileError */
export const compileAssetScript = (source: string): AssetScriptResult => {
  const { structs, script } = parseAssetScript(source);
  const types = new TypeTable(new Map(structs.map((node) => [node.name.text, node])));
  const functions = script.functions.map((node, index) => ({
    node,
    name: node.name.text,
    index,
    usesSelector: false,
  }));
  const entity = { kind: 'asset script', name: script.name, functions, resolved: undefined } as const;
  const context = new EntityContext(newOperation(types, new Map()), entity, checkExpression);
  checkAssetScript(context, script);
  const methods = assetScriptMethods(context);
  const checked = methods.map((method, i) => ({
    method,
    using: functions[i]!.node.using,
    updates: true,
    span: script.functions[i],
  }));
  checkMethods(context, checked, false);
  return {
    name: script.name.text,
    bytecodeTemplate: bytecodeTemplate(methods),
    warnings: shownWarnings(context.warnings),
  };
};
