import { expect, test } from "vitest";
import { addressProblem, fetchPicture, isPublicAddress } from "../../../site/catalogue-import/fetch-picture.ts";

test.each([
  ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
  ...["255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1"],
  ...["::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1", "localhost", ""],
])("%j isn't a public address", (address) => expect(isPublicAddress(address)).toBe(false));

test.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])("%s is a public address", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ["http://shop.example/a.jpg", "isn't at an https address"],
  ["file:///etc/passwd", "isn't at an https address"],
  ["https://127.0.0.1/a.jpg", "is at a private address (127.0.0.1)"],
  ["https://2130706433/a.jpg", "is at a private address (127.0.0.1)"],
  ["https://0x7f.1/a.jpg", "is at a private address (127.0.0.1)"],
  ["https://[::1]/a.jpg", "is at a private address (::1)"],
  ["https://shop.example:8443/a.jpg", "has a port"],
  ["https://me:secret@shop.example/a.jpg", "has a port or a name"],
  ["shop", "isn't an address"],
])("%s isn't fetched: it %s", async (address, reason) => {
  expect(addressProblem(address)).toContain(reason);
  await expect(fetchPicture(address, new AbortController().signal)).rejects.toThrow(reason);
});

test("a name that leads to this machine isn't fetched from", async () => {
  await expect(fetchPicture("https://localhost/a.jpg", new AbortController().signal)).rejects.toThrow(
    "is at a private address (",
  );
});
