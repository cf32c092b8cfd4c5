export { type BuiltIn, builtInFunctions } from './built-ins/table.js';
export { CompileError } from './errors/compile-error.js';
export { formatError, lineAndColumn } from './errors/error-text.js';
export { groupTitles, type RuleGroup, ruleGroups, type RuleName } from './errors/rules.js';
export { type WarningName, warningTexts } from './errors/warnings.js';
export { parseFieldLiterals } from './parser/field-literals.js';
export { type DeclaredEntity, type DeclaredKind, declaredEntities } from './project/declared.js';
export { grammarHints } from './hints/grammar-hints.js';
export { hintOf, hintText } from './hints/hint-of.js';
export { ruleHints } from './hints/rule-hints.js';
export * from './results/asset-script.js';
export * from './results/compile.js';
export {
  type CompileSettings,
  type CompilerOptions,
  compilerOptionNames,
  suppressedWarnings,
} from './results/options.js';
export { type ContractResult, type ProjectResult, type ScriptResult } from './results/result-forms.js';
export { releaseVersion } from './results/version.js';
