export const HEALTH = Symbol('health of this service');
