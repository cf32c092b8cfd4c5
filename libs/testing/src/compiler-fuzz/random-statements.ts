import { type FuzzRandom } from '../machine-fuzz/fuzz-random.js';
import { ExpressionWriter, type RandomFunction, type RandomScope, type RandomVariable } from './random-expressions.js';
import {
  isFullyMutable,
  primitive,
  type PrimitiveType,
  type RandomStruct,
  randomType,
  type RandomType,
} from './random-types.js';

export interface RandomEvent {
  readonly name: string;
  readonly fields: readonly PrimitiveType[];
}

export interface StatementScope extends RandomScope {
  readonly events: readonly RandomEvent[];
  readonly structs: readonly RandomStruct[];
  /** Fields that may be assigned. */
  readonly mutableFields: readonly RandomVariable[];
}

const deepest = 2;

/** Writes the body of one function. */
export class StatementWriter {
  private readonly locals: RandomVariable[] = [];
  private readonly mutableLocals: RandomVariable[] = [];

  constructor(
    private readonly random: FuzzRandom,
    private readonly scope: StatementScope,
  ) {}

  private get expressions(): ExpressionWriter {
    return new ExpressionWriter(this.random, {
      ...this.scope,
      variables: [...this.scope.variables, ...this.locals],
    });
  }

  /** Statements, then an assignment of each variable that is `mut`, then the results. */
  body(results: readonly RandomType[]): string {
    const statements = Array.from({ length: this.random.below(5) }, () => this.statement(0));
    const { expressions } = this;
    const assigned = this.mutableLocals.map(({ name, type }) => `${name} = ${expressions.of(type, 2)}`);
    const end = results.length > 0 ? [`return ${expressions.list(results, 0)}`] : [];
    return [...statements, ...assigned, ...end].join('\n    ');
  }

  private statement(depth: number): string {
    const { random } = this;
    const { expressions } = this;
    const condition = (): string => expressions.of(primitive('Bool'), 2);
    switch (random.below(depth < deepest ? 10 : 6)) {
      case 0:
      case 1:
        return this.declaration();
      case 2:
        return this.assignment() ?? this.declaration();
      case 3:
        return this.emit();
      case 4:
        return this.callStatement();
      case 5:
        return this.mapStatement() ?? `assert!(${condition()}, ${random.below(99)})`;
      case 6:
      case 7:
        return this.branches(depth);
      case 8:
        return `while (${condition()}) ${this.block(depth + 1)}`;
      default: {
        const name = this.fresh();
        const scope = `let mut ${name} = 0`;
        this.locals.push({ name, type: primitive('U256') });
        return `for (${scope}; ${name} < ${random.below(9)}; ${name} = ${name} + 1) ${this.block(depth + 1)}`;
      }
    }
  }

  /** In the order in which they are checked: conditions, then bodies. */
  private branches(depth: number): string {
    const { random, expressions } = this;
    const conditions = Array.from({ length: 1 + (random.chance(0.3) ? 1 : 0) }, () =>
      expressions.of(primitive('Bool'), 2),
    );
    const bodies = conditions.map((condition) => `if (${condition}) ${this.block(depth)}`);
    if (bodies.length === 1 && random.chance(0.5)) return bodies[0]!;
    return `${bodies.join(' else ')} else ${random.chance(0.2) ? '{ }' : this.block(depth)}`;
  }

  private block(depth: number): string {
    return `{ ${Array.from({ length: 1 + this.random.below(2) }, () => this.statement(depth + 1)).join(' ')} }`;
  }

  private names = 0;
  private fresh(): string {
    return `v${this.names++}`;
  }

  private declaration(): string {
    const { random, scope, expressions } = this;
    const type = randomType(
      random,
      scope.structs,
      scope.contracts.map(({ name }) => name),
    );
    const value = expressions.of(type);
    if (type.kind === 'struct' && random.chance(0.3)) {
      const fields = type.struct.fields.map((field) => ({ field, name: this.fresh() }));
      for (const { field, name } of fields) this.locals.push({ name, type: field.type });
      return `let ${type.struct.name} { ${fields.map(({ field, name }) => `${field.name}: ${name}`).join(', ')} } = ${value}`;
    }
    if (random.chance(0.1)) return `let _ = ${value}`;
    const variable = { name: this.fresh(), type };
    this.locals.push(variable);
    const isMutable = isFullyMutable(type) && random.chance(0.3);
    if (isMutable) this.mutableLocals.push(variable);
    return `let ${isMutable ? 'mut ' : ''}${variable.name} = ${value}`;
  }

  private assignment(): string | undefined {
    const { random, expressions } = this;
    const targets = [...this.mutableLocals, ...this.scope.mutableFields];
    if (targets.length === 0) return undefined;
    const { name, type } = random.pick(targets);
    if (type.kind === 'array' && random.chance(0.5)) {
      const index = random.chance(0.6) ? `${random.below(type.size)}` : `(${expressions.of(primitive('U256'), 2)})`;
      return `${name}[${index}] = ${expressions.of(type.element)}`;
    }
    if (type.kind === 'struct' && random.chance(0.5)) {
      const field = random.pick(type.struct.fields);
      return `${name}.${field.name} = ${expressions.of(field.type)}`;
    }
    return `${name} = ${expressions.of(type)}`;
  }

  private emit(): string {
    const { random, expressions, scope } = this;
    if (scope.events.length === 0 || random.chance(0.4)) {
      const holes = Array.from(
        { length: random.below(3) },
        () => `\${${expressions.of(primitive('U256'), 2)}} and $$ `,
      );
      return `emit Debug(\`value ${holes.join('')}\`)`;
    }
    const { name, fields } = random.pick(scope.events);
    return `emit ${name}(${expressions.list(fields.map(primitive))})`;
  }

  private callStatement(): string {
    const { random, scope, expressions } = this;
    const withoutResult = scope.functions.filter(({ results }) => results.length === 0);
    const several = scope.functions.filter(({ results }) => results.length > 1);
    if (several.length > 0 && random.chance(0.4)) return this.severalResults(random.pick(several));
    if (withoutResult.length > 0 && random.chance(0.7)) return expressions.callOf(random.pick(withoutResult));
    return `checkCaller!(${expressions.of(primitive('Bool'), 2)}, ${random.below(9)})`;
  }

  private severalResults(called: RandomFunction): string {
    const value = this.expressions.callOf(called);
    const names = called.results.map((type) => {
      if (this.random.chance(0.2)) return '_';
      const name = this.fresh();
      this.locals.push({ name, type });
      return name;
    });
    return `let (${names.join(', ')}) = ${value}`;
  }

  private mapStatement(): string | undefined {
    const { random, scope, expressions } = this;
    if (scope.maps.length === 0) return undefined;
    const { name, key, value } = random.pick(scope.maps);
    const keyText = expressions.of(primitive(key), 2);
    switch (random.below(3)) {
      case 0:
        return `${name}.insert!(callerAddress!(), ${keyText}, ${expressions.of(value)})`;
      case 1:
        return `${name}.remove!(callerAddress!(), ${keyText})`;
      default:
        return isFullyMutable(value) ? `${name}[${keyText}] = ${expressions.of(value)}` : undefined;
    }
  }
}
