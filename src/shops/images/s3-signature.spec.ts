import { describe, expect, it } from '@jest/globals';
import { signedHeaders } from './s3-signature.js';

// The examples of the documentation of Amazon S3.
const CREDENTIALS = {
  region: 'us-east-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const at = new Date('2013-05-24T00:00:00.000Z');

describe('signedHeaders', () => {
  it('signs the GET of the documentation of Amazon S3 as it says', () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
    const request = { method: 'GET', url, body: Buffer.alloc(0), at };
    expect(signedHeaders(request, CREDENTIALS, { range: 'bytes=0-9' })).toEqual({
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    });
  });

  it('signs the PUT of the documentation of Amazon S3 as it says', () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test%24file.text');
    const request = { method: 'PUT', url, body: Buffer.from('Welcome to Amazon S3.'), at };
    const others = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    expect(signedHeaders(request, CREDENTIALS, others)['authorization']).toMatch(
      /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
    );
  });
});
