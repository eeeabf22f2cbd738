// The root certificates that ios-store signed data may chain to: the shipped one, or those of the configured files.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileFault } from '../configuration/wrong-configuration.js';
import { STORE_ROOT_PEM } from './store-root-pem.js';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** A configured file cannot be used. The message says what to do. */
export class UnusableRootCertificates extends Error {
  constructor(file: string, fault: string) {
    super(`IOS_STORE_ROOT_CERTIFICATES names ${file}, which ${fault}. Give paths of PEM files, separated by commas.`);
    this.name = 'UnusableRootCertificates';
  }
}

/**
 * Certificates in DER form. PEM files, each with one certificate or more, replace the shipped root; an empty list keeps it.
 * Reads synchronously, for the start of the process; throws {@link UnusableRootCertificates}.
 */
export function loadRootCertificates(files: readonly string[]): Buffer[] {
  if (files.length === 0) return [new X509Certificate(STORE_ROOT_PEM).raw];
  return files.flatMap(readCertificates);
}

function readCertificates(file: string): Buffer[] {
  const blocks = read(file).match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) throw new UnusableRootCertificates(file, 'holds no certificate');
  return blocks.map((block) => {
    try {
      return new X509Certificate(block).raw;
    } catch {
      // The parser's own message is an OpenSSL code without the file's name.
      throw new UnusableRootCertificates(file, 'holds a damaged certificate');
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
