export { FeedFollower, type FollowerOptions } from './feed-follower.js';
export { type FollowedBlock } from './followed-chain.js';
