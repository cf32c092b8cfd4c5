export * from './header-histories.js';
export * from './same-answers.js';
export * from './windowed-dag.js';
export * from './play-both.js';
