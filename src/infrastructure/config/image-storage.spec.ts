import { describe, expect, it } from '@jest/globals';
import { readImageStorage } from './image-storage.js';

describe('readImageStorage', () => {
  it('reads the bucket, the region and keys that are percent-encoded', () => {
    expect(readImageStorage('https://AK:a%2Fb%2Bc@s3.example.com:9000/shop-images/?region=eu-central-1')).toEqual({
      url: 'https://s3.example.com:9000/shop-images',
      region: 'eu-central-1',
      accessKey: 'AK',
      secretKey: 'a/b+c',
    });
    expect(readImageStorage('http://a:b@127.0.0.1:9000/x')?.region).toBe('us-east-1');
  });

  it.each([
    'nothing',
    'ftp://a:b@host/bucket',
    'https://host/bucket',
    'https://a@host/bucket',
    'https://a:b@host',
    'https://a:b@host/',
    'https://a:b@host/bucket?regoin=eu',
    'https://a:b@host/bucket?region=EU WEST',
    'https://a:b@host/bucket#x',
    'https://a:%@host/bucket',
    'https://a:b@host/buck%20et',
  ])('rejects %s', (text) => {
    expect(readImageStorage(text)).toBeNull();
  });
});
