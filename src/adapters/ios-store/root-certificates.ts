// Root certificates trusted for ios-store signed data and for app receipts: the bundled ones, or those of the configured files.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileFault } from '../configuration/wrong-configuration.js';
import { RECEIPT_ROOT_PEM, STORE_ROOT_PEM } from './store-root-pem.js';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Error of a configured file that cannot be used. The message contains the fix. */
export class UnusableRootCertificates extends Error {
  constructor(file: string, fault: string) {
    super(`IOS_STORE_ROOT_CERTIFICATES names ${file}, which ${fault}. Give paths of PEM files, separated by commas.`);
    this.name = 'UnusableRootCertificates';
  }
}

/** Roots in DER: of signed data (JWS), and of app receipts, for which the store has another root. */
export type TrustedRoots = { readonly roots: readonly Buffer[]; readonly receiptRoots: readonly Buffer[] };

/**
 * Loads the certificates. PEM files, each with one or more certificates, replace the bundled roots; an empty list keeps them. Reads
 * synchronously, at process start; throws {@link UnusableRootCertificates}.
 */
export function loadRootCertificates(files: readonly string[]): TrustedRoots {
  const bundled = (pem: string) => [new X509Certificate(pem).raw];
  if (files.length === 0) return { roots: bundled(STORE_ROOT_PEM), receiptRoots: bundled(RECEIPT_ROOT_PEM) };
  const roots = files.flatMap(readCertificates);
  return { roots, receiptRoots: roots };
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
