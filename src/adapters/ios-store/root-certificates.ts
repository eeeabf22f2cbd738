// Root certificates trusted for ios-store signed data: the bundled one, or those of the configured files.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileFault } from '../configuration/wrong-configuration.js';
import { STORE_ROOT_PEM } from './store-root-pem.js';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Error of a configured file that cannot be used. The message contains the fix. */
export class UnusableRootCertificates extends Error {
  constructor(file: string, fault: string) {
    super(`IOS_STORE_ROOT_CERTIFICATES names ${file}, which ${fault}. Give paths of PEM files, separated by commas.`);
    this.name = 'UnusableRootCertificates';
  }
}

/**
 * Loads the certificates in DER form. PEM files, each with one or more certificates, replace the bundled root; an empty list keeps it.
 * Reads synchronously, at process start; throws {@link UnusableRootCertificates}.
 */
export function loadRootCertificates(files: readonly string[]): Buffer[] {
  if (files.length === 0) return [new X509Certificate(STORE_ROOT_PEM).raw];
  return files.flatMap(readCertificates);
}

function readCertificates(file: string): Buffer[] {
  const blocks = read(file).match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) throw new UnusableRootCertificates(file, 'contains no certificate');
  return blocks.map((block) => {
    try {
      return new X509Certificate(block).raw;
    } catch {
      // The parser's own message is an OpenSSL code without the file name.
      throw new UnusableRootCertificates(file, 'contains a damaged certificate');
    }
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnusableRootCertificates(file, fileFault(error));
  }
}
