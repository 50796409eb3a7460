import { solve, type Challenge } from './proof';

self.onmessage = ({ data }: MessageEvent<Challenge>) => self.postMessage(solve(data));
