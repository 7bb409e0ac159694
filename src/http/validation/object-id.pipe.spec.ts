import { describe, expect, it } from '@jest/globals';
import { ObjectIdPipe } from './object-id.pipe.js';

describe('ObjectIdPipe', () => {
  it('converts an id in a path to lower case, or rejects it before any query', () => {
    const pipe = new ObjectIdPipe();
    expect(pipe.transform('655F1C2AB1E4A9D3F0C81234')).toBe('655f1c2ab1e4a9d3f0c81234');
    expect(() => pipe.transform('655f1c2a')).toThrow('An identifier in the path is not an ObjectId');
  });
});
