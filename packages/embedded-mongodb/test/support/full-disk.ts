import { jest } from '@jest/globals';
import { type Disk } from '../../src/storage/disk.js';
import { NoSpace } from '../../src/storage/room.js';

/** Makes a write for which the disk has no space; other writes of the same commit are lost with it. */
export async function writeWithoutSpace(disk: Disk): Promise<void> {
  await disk.write(() => {
    jest.spyOn(disk['room'], 'take').mockImplementationOnce(() => {
      throw new NoSpace('the directory');
    });
    disk.put(Buffer.from('Z'), Buffer.alloc(0));
  });
}
