import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SERVER_PATH } from "../../../api/platform/server-path.ts";
import { copyWorkspace } from "../../workspace.ts";
import { writeSite } from "../run-nginx.ts";

/** Whether this process may mount an /etc of its own, which leaves the machine's alone. */
const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/var/lib"]).status === 0;

/** A host with the checkout in /srv, whose /etc, /var/lib and /var/log are copies; `install` is the command. */
const ON_A_HOST = `set -u
cp -a /etc "$WORKSPACE/.etc"
mount --bind "$WORKSPACE/.etc" /etc
mount -t tmpfs -o mode=755 none /var/lib
mount -t tmpfs -o mode=755 none /var/log
mount --bind "$WORKSPACE" /srv
cd /srv
install_host() { "$NODE" nginx/production/install-host.ts "$@" 2>&1; echo "exit $?"; }
release() { mkdir -p /var/lib/twinfront/releases/1/site && cp -r .pages /var/lib/twinfront/releases/1/site/dist && ln -s 1 /var/lib/twinfront/releases/current; }
as_site_user() { setpriv --reuid twinfront-site --regid twinfront-site --clear-groups "$@"; }
complete() { sed -i 's,^DATABASE_URL=,&mysql://shop@localhost/shop,; s,^BASE_URL=.*,BASE_URL=https://shop.example,' /etc/twinfront/settings.env; }
install_with_content() {
  git init -q && git add content && git -c user.name=a -c user.email=a@b.example commit -qm 'Our content'
  install_host --write > /dev/null
  complete
  release
}
`;

/** Runs `script` on a new host, and returns what each of its parts printed; `part` begins the next one. */
function onNewHost(script: string): string[] {
  const workspace = copyWorkspace();
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  chmodSync(workspace, 0o755);
  writeSite(join(workspace, ".pages"), { "index.html": "<html>", "404.html": "<html>" });
  const { stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "sh", "-c", ON_A_HOST + script.replace(/^ *part$/gm, "echo =====")],
    {
      env: { PATH: SERVER_PATH, NODE: process.execPath, WORKSPACE: workspace },
      encoding: "utf8",
    },
  );
  expect(stderr).toBe("");
  return stdout.split("=====\n");
}

const asRoot = test.skipIf(!canMount);

asRoot("install:host says what it would write and writes nothing until asked to (run as root)", () => {
  const [said, written] = onNewHost(`
    install_host
    part
    ls -d .env /etc/twinfront /etc/systemd/system/twinfront* /var/lib/twinfront 2> /dev/null
  `);
  expect(said).toContain("would write /etc/twinfront/settings.env (missing)\n");
  expect(said).toContain("would write /srv/.env → /etc/twinfront/settings.env\n");
  expect(said).toMatch(/To write: npm run install:host -- --write\nexit 0\n$/);
  expect(written).toBe("");
});

asRoot(
  "install:host begins with the settings, which only root can read, and stops until they are complete (run as root)",
  () => {
    const [said, modes, units, more] = onNewHost(`
    install_host --write
    part
    stat -c '%a' /etc/twinfront /etc/twinfront/settings.env
    grep -cE '^ERP_PULL_API_TOKEN=[0-9a-f]{64}$' .env
    part
    ls /etc/systemd/system | grep twinfront
    part
    printf 'HOST=here\\nAPI_PORT=\\nMAIL_FOLDER=/srv/mails\\n' >> /etc/twinfront/settings.env
    install_host | grep -oE '^  - [A-Z_]+'
  `);
    expect(said).toContain("DATABASE_URL is missing.");
    expect(said).toMatch(/The settings are in \/etc\/twinfront\/settings\.env\.\nexit 1\n$/);
    expect(modes).toBe("700\n600\n1\n");
    expect(units).toBe("");
    expect(more).toBe("  - HOST\n  - API_PORT\n  - MAIL_FOLDER\n  - DATABASE_URL\n");
  },
);

asRoot("install:host writes units and nginx's configuration, and a second run changes nothing (run as root)", () => {
  const [first, facts, second, same, third] = onNewHost(`
    install_host --write > /dev/null
    complete
    release
    install_host --write
    list() { find /etc /srv/.env -newer before -printf '%p %T@\\n'; }
    part
    readlink site/dist
    /var/lib/twinfront/nginx/start -t -q && echo nginx accepts it
    touch before
    sleep 1.1
    part
    install_host --write
    part
    list
    part
    chmod 644 /etc/twinfront/settings.env
    echo '# changed by hand' >> /etc/systemd/system/twinfront-worker.service
    install_host
  `);
  for (const unit of ["twinfront-api@.socket", "twinfront-api@.service", "twinfront-site.timer"])
    expect(first).toContain(`wrote /etc/systemd/system/${unit} (missing)\n`);
  expect(first).toMatch(
    /systemctl enable --now twinfront-api@3000\.socket .*twinfront-site\.timer .*twinfront-doctor\.timer\nexit 0\n$/,
  );
  expect(facts).toBe("../../var/lib/twinfront/releases/current/site/dist\nnginx accepts it\n");
  expect(second).not.toContain("wrote");
  expect(second).toMatch(/exit 0\n$/);
  expect(same).toBe("");
  expect(third?.split("\n").filter((line) => line.startsWith("would write"))).toEqual([
    "would write /etc/twinfront/settings.env (has mode 644)",
    "would write /etc/systemd/system/twinfront-worker.service (differs)",
  ]);
});

asRoot(
  "on a new host install:host takes settings from the environment, and leads to the first release (run as root)",
  () => {
    const [said, settings, releases, socket, rules, without] = onNewHost(`
    export DATABASE_URL=mysql://shop@localhost/new BASE_URL=https://new.example
    install_host --write
    part
    grep -E '^(HOST|BASE_URL|DATABASE_URL|RELEASES_DIR)=' .env
    part
    stat -c %U /var/lib/twinfront/releases
    ls /var/lib/twinfront
    part
    mkdir -p /etc/systemd/system/sockets.target.wants
    ln -s /lib/systemd/system/mariadb.socket /etc/systemd/system/sockets.target.wants/
    echo TRUSTED_PROXIES=10.0.0.0/8,fd00::/8 >> .env
    install_host | grep mariadb
    install_host --write | grep mariadb
    install_host --write | grep mariadb
    part
    grep -hE 'dport|elements' /etc/twinfront/connections.nft
    part
    rm /etc/twinfront/settings.env
    unshare --net "$NODE" nginx/production/install-host.ts --write > /dev/null
    grep ^HOST= .env
  `);
    const link =
      "/etc/systemd/system/sockets.target.wants/mariadb.socket (at each boot it opens MariaDB's port to everybody)";
    expect(socket).toBe(`would remove ${link}\nremoved ${link}\n`);
    expect(rules?.match(/\S.*/g)).toEqual([
      "elements = { 127.0.0.0/8, 10.0.0.0/8 }",
      "elements = { ::1/128, fd00::/8 }",
      "tcp dport != { 80, 443 } accept",
    ]);
    expect(said).toMatch(
      /first release:\n {2}systemctl daemon-reload\n {2}systemctl disable --now nginx\n {2}systemctl start twinfront-site\n.*\nexit 0\n$/,
    );
    expect(settings).toBe(
      "HOST=::\nBASE_URL=https://new.example\nDATABASE_URL=mysql://shop@localhost/new\nRELEASES_DIR=/var/lib/twinfront/releases\n",
    );
    expect(releases).toBe("twinfront-site\nreleases\n");
    expect(without).toBe("HOST=0.0.0.0\n");
  },
);

asRoot(
  "the user that makes releases can write builds and releases, and no code that root runs, also where site/ was once its own (run as root)",
  () => {
    const [shown, again, refused, written, build] = onNewHost(`
    export DATABASE_URL=mysql://shop@localhost/new BASE_URL=https://new.example
    ln -s ../.pages site/dist
    install_host --write | grep '^wrote.*dist'
    part
    mkdir -p site/.builds site/.cache
    chown twinfront-site site site/.builds site/.cache
    mkdir .kept
    as_site_user ln -s /srv/.kept site/.builds/link
    touch .kept/root site/.builds/by-root
    install_host --write | grep ^wrote
    part
    for change in 'mv site/admin site/admin.was' 'mkdir site/node_modules.new' 'touch site/package.json.new' 'rm site/dist' 'touch site/commands/build.ts'
    do as_site_user sh -c "$change" 2> /dev/null || echo "refused: $change"
    done
    stat -c %U .kept/root
    part
    release
    chown -R twinfront-site /var/lib/twinfront/releases
    as_site_user sh -c 'cd site/.builds && rm by-root link && mkdir next && mv next 1 && ln -sfn 1 /var/lib/twinfront/releases/current && echo done'
    part
    "$NODE" site/commands/build.ts 2>&1
  `);
    expect(shown).toBe(
      "wrote /srv/site/dist → /var/lib/twinfront/releases/current/site/dist (no pages until the first release: systemctl start twinfront-site)\n",
    );
    expect(again).toBe("wrote /srv/site (for root alone to write)\nwrote /srv/site/.builds (owner: twinfront-site)\n");
    expect(refused?.split("\n").map((line) => line.split(":")[0])).toEqual([...Array(5).fill("refused"), "root", ""]);
    expect(written).toBe("done\n");
    expect(build).toContain("/srv/site/.cache belongs to another user, who builds here.");
  },
);

asRoot(
  "where editors are to write, install:host makes the repository of the checkout's content, and their units (run as root)",
  () => {
    const [said, repository, units, second] = onNewHost(`
    install_with_content
    sed -i 's,^#\\(CONTENT_REPOSITORY\\|ADMIN_SOCKET\\),\\1,' /etc/twinfront/settings.env
    install_host --write
    part
    cd /var/lib/twinfront/content.git
    stat -c %U .
    find . ! -user twinfront-site
    git -c safe.directory='*' log --format=%s main
    cd /srv
    part
    cd /etc/systemd/system
    grep -hE '^(ListenStream|PathExists|ReadWritePaths)=' twinfront-admin.* twinfront-publish.* twinfront-site.service
    cd /srv
    part
    install_host --write | grep -c wrote
  `);
    expect(said).toContain(
      "wrote /var/lib/twinfront/content.git (main: the last commit of /srv; owner: twinfront-site)\n",
    );
    expect(said).toMatch(/enable --now .* twinfront-admin\.socket twinfront-admin\.service twinfront-publish\.path /);
    expect(repository).toBe("twinfront-site\nOur content\n");
    const builds = "/srv/site/.astro /srv/site/.builds /srv/site/.cache";
    expect(units?.split("\n")).toEqual([
      `ReadWritePaths=${builds} /var/lib/twinfront/content.git`,
      "ListenStream=/run/twinfront/admin.sock",
      "PathExists=/var/lib/twinfront/content.git/publication/request.json",
      ...["publish", "site"].map(
        () => `ReadWritePaths=${builds} /var/lib/twinfront/releases /var/lib/twinfront/content.git`,
      ),
      "",
    ]);
    expect(second).toBe("0\n");
  },
);

asRoot(
  "what settings no longer want install:host names and removes, units once they are disabled (run as root)",
  () => {
    const [dry, first, second, left] = onNewHost(`
    install_with_content
    cp /etc/twinfront/settings.env /etc/twinfront/before.env
    sed -i 's,^#\\(CONTENT_REPOSITORY\\|ADMIN_SOCKET\\),\\1,; s/^API_PORT=.*/API_PORT=3000,3001\\nMETRICS_PORT=9464,9465/' /etc/twinfront/settings.env
    install_host --write > /dev/null
    cd /etc/systemd/system
    mkdir -p sockets.target.wants paths.target.wants
    for port in 3000 3001; do ln -s ../twinfront-api@.socket sockets.target.wants/twinfront-api@$port.socket; done
    ln -s ../twinfront-publish.path paths.target.wants/
    touch twinfront-api@3001.service.d/own.conf twinfront-own.service
    cd /srv
    cp /etc/twinfront/before.env /etc/twinfront/settings.env
    lines() { grep -E '^removed|^would remove|systemctl (disable|reload)'; }
    install_host | lines
    part
    install_host --write | lines
    part
    rm /etc/systemd/system/sockets.target.wants/twinfront-api@3001.socket /etc/systemd/system/paths.target.wants/*
    install_host --write | lines
    part
    install_host --write | lines
    find /etc/systemd/system -name 'twinfront-*' -newer /etc/twinfront/before.env | grep -E 'admin|publish|own'
    ls /etc/systemd/system/twinfront-api@*.d
  `);
    const disable = "  systemctl disable --now twinfront-api@3001.socket twinfront-publish.path\n";
    const inSystemd = (name: string) => `/etc/systemd/system/${name}\n`;
    const dropIns = [3000, 3001].map((port) => inSystemd(`twinfront-api@${port}.service.d/metrics.conf`));
    const units = ["admin.service", "admin.socket", "publish.path", "publish.service"].map((name) =>
      inSystemd(`twinfront-${name}`),
    );
    expect(dry).toBe([...dropIns.map((path) => `would remove ${path}`), disable].join(""));
    const reload = "  systemctl reload twinfront-nginx\n";
    expect(first).toBe([...dropIns.map((path) => `removed ${path}`), disable, reload].join(""));
    expect(second).toBe([...units.map((path) => `removed ${path}`), reload].join(""));
    expect(left).toBe(
      `${reload}/etc/systemd/system/twinfront-own.service\n/etc/systemd/system/twinfront-api@3000.service.d:\n\n/etc/systemd/system/twinfront-api@3001.service.d:\nown.conf\n`,
    );
  },
);

asRoot("content beside the checkout stays in the settings, and is what editors begin with (run as root)", () => {
  const [settings, unit, subject, refused] = onNewHost(`
    mkdir /srv/shop
    mv content /srv/shop
    git init -q /srv/shop
    git -C /srv/shop add content
    git -C /srv/shop -c user.name=a -c user.email=a@b.example commit -qm 'Our shop'
    export CONTENT_ROOT=/srv/shop
    install_host --write > /dev/null
    complete
    release
    grep ^CONTENT_ROOT= .env
    part
    echo CONTENT_REPOSITORY=/var/lib/twinfront/content.git >> .env
    install_host --write > /dev/null
    grep -ho 'GIT_CONFIG_VALUE_1=.*' /etc/systemd/system/twinfront-*.service | sort -u
    part
    as_site_user git --git-dir /var/lib/twinfront/content.git log --format=%s main
    part
    sed -i 's,^CONTENT_ROOT=.*,CONTENT_ROOT=/home/shop,' /etc/twinfront/settings.env
    install_host | grep CONTENT_ROOT
    mkdir -p /srv/odd:shop/content
    touch /srv/odd:shop/content/store.yaml
    sed -i 's,^CONTENT_ROOT=.*,CONTENT_ROOT=/srv/odd:shop,' /etc/twinfront/settings.env
    install_host | grep CONTENT_ROOT
  `);
  expect(settings).toBe("CONTENT_ROOT=/srv/shop\n");
  expect(unit).toBe("GIT_CONFIG_VALUE_1=/srv/shop\n");
  expect(subject).toBe("Our shop\n");
  expect(refused).toContain("CONTENT_ROOT=/home/shop doesn't exist.");
  expect(refused).toContain("Services can't read CONTENT_ROOT=/srv/odd:shop.");
});
