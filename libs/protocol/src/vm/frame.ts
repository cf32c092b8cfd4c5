import { type Method } from '../script/index.js';
import { type BalanceState } from './balance-state.js';
import { type CodeObject } from './code-object.js';

/** A running method (protocol 05 §4.1). Positions count slots of the operand area that all frames of a run share. */
export class Frame {
  /** Index of the next instruction. */
  programCounter = 0;
  /** First local variable: the top of the caller once the arguments are taken. */
  readonly localsBase: number;
  /** First slot of the frame's own operands: it may not pop below. */
  readonly operandBase: number;
  /** One above the topmost operand. It does not move while a called frame runs. */
  top: number;

  constructor(
    readonly code: CodeObject,
    readonly methodIndex: number,
    readonly method: Method,
    /** Undefined in the entry frame. */
    readonly caller: Frame | undefined,
    /** Undefined: the frame may not touch assets (protocol 05 §9.3). */
    readonly balances: BalanceState | undefined,
    localsBase: number,
  ) {
    this.localsBase = localsBase;
    this.operandBase = localsBase + method.localsLength;
    this.top = this.operandBase;
  }
}
