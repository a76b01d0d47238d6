//! A server of NATS with TLS, client certificates and a password: the program joins with its options, and
//! says why it is refused without them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tokio::time::sleep;

use crate::model::Model;
use crate::now;
use crate::servers::{Fault, Process, exchange, free_ports, server_program, wait_for_port};

/// Certificates of our own making: an authority, a server and a client of it, and an authority that signed
/// neither.
struct Certificates(PathBuf);

impl Certificates {
    fn make(folder: &Path) -> Result<Self, Fault> {
        let made = Self(folder.to_owned());
        for name in ["authority", "stranger"] {
            let certificate = made.path(name, "pem");
            let words = format!("-x509 -days 2 -out {certificate} -subj /CN={name}");
            made.request(name, &words)?;
        }
        let extensions = made.path("names", "cnf");
        let written = fs::write(&extensions, "subjectAltName=IP:127.0.0.1\n");
        written.map_err(|error| format!("{extensions}: {error}"))?;
        let (authority, key) = (made.path("authority", "pem"), made.path("authority", "key"));
        for name in ["server", "client"] {
            let request = made.path(name, "csr");
            made.request(name, &format!("-out {request} -subj /CN={name}"))?;
            let certificate = made.path(name, "pem");
            openssl(&format!(
                "x509 -req -days 2 -in {request} -CA {authority} -CAkey {key} -CAcreateserial \
                 -extfile {extensions} -out {certificate}"
            ))?;
        }
        Ok(made)
    }

    /// A new key, and what `words` say of it.
    fn request(&self, name: &str, words: &str) -> Result<(), Fault> {
        let key = self.path(name, "key");
        openssl(&format!(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout {key} {words}"
        ))
    }

    fn path(&self, name: &str, extension: &str) -> String {
        let path = self.0.join(format!("{name}.{extension}"));
        path.display().to_string()
    }

    /// The options of a process that trusts an authority and shows the certificate of the client.
    fn options(&self, authority: &str) -> String {
        let (certificate, key) = (self.path("client", "pem"), self.path("client", "key"));
        let authority = self.path(authority, "pem");
        format!("--tls --tls-ca {authority} --tls-cert {certificate} --tls-key {key}")
    }
}

fn openssl(words: &str) -> Result<(), Fault> {
    let output = Command::new("openssl")
        .args(words.split_whitespace())
        .output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let reason = String::from_utf8_lossy(&output.stderr);
            Err(format!("openssl {words}: {reason}"))
        }
        Err(error) => Err(format!("openssl {words}: {error}")),
    }
}

/// Plays it; the number of refusals.
pub(crate) async fn play(model: &Model) -> Result<usize, Fault> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("secured");
    if folder.exists() {
        let removed = fs::remove_dir_all(&folder);
        removed.map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let made = fs::create_dir_all(&folder);
    made.map_err(|error| format!("{}: {error}", folder.display()))?;
    let certificates = Certificates::make(&folder)?;
    let ports = free_ports(3)?;
    let mut server = server(&folder, &certificates, ports[0])?;
    server.start()?;
    wait_for_port(ports[0])?;
    let world = folder.join("yard.wayfarer");
    let written = fs::write(&world, model.initial());
    written.map_err(|error| format!("{}: {error}", world.display()))?;

    let ours = |name: &str, password: &str, more: &str| {
        let url = format!("tls://town:{password}@127.0.0.1:{}", ports[0]);
        let words = format!("serve --nats {url} --world yard --name {name} {more}");
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let program = Path::new(env!("CARGO_BIN_EXE_wayfarer"));
        Process::new(name, program, &words, &folder)
    };
    let trusted = certificates.options("authority");
    let listen = |port: u16| format!("--listen 127.0.0.1:{port}");
    let as_writer = format!(
        "{trusted} {} --writer {}",
        listen(ports[1]),
        world.display()
    );
    let as_worker = format!("{trusted} {}", listen(ports[2]));
    let (mut writer, mut worker) = (
        ours("writer", "secret", &as_writer),
        ours("worker", "secret", &as_worker),
    );
    writer.start()?;
    worker.start()?;
    for port in [ports[1], ports[2]] {
        wait_for_answer(port).await?;
    }

    let anywhere = "--listen 127.0.0.1:0";
    let untrusted = format!("{} {anywhere}", certificates.options("stranger"));
    let anonymous = format!(
        "--tls --tls-ca {} {anywhere}",
        certificates.path("authority", "pem")
    );
    let refused = [
        (
            "password",
            "wrong",
            format!("{trusted} {anywhere}"),
            "authorization violation",
        ),
        ("untrusted", "secret", untrusted, "UnknownIssuer"),
        ("anonymous", "secret", anonymous, "CertificateRequired"),
    ];
    for (name, password, more, reason) in &refused {
        let mut process = ours(name, password, more);
        process.start()?;
        let code = process.ended(Duration::from_secs(20)).await;
        let path = folder.join(format!("{name}.log"));
        let log = fs::read_to_string(&path);
        let log = log.map_err(|error| format!("{}: {error}", path.display()))?;
        if matches!(code, None | Some(0)) || !log.contains(reason) {
            return Err(format!(
                "{name}: expected an end with `{reason}`, found {code:?} and `{log}`"
            ));
        }
    }
    Ok(refused.len())
}

/// The server: TLS for clients that have a certificate, and one user.
fn server(folder: &Path, certificates: &Certificates, port: u16) -> Result<Process, Fault> {
    let path = folder.join("server.conf");
    let configuration = format!(
        "listen: 127.0.0.1:{port}\n\
         jetstream {{ store_dir: \"{}\", max_mem: 64MB, max_file: 1GB }}\n\
         tls {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\", verify: true, timeout: 5 }}\n\
         authorization {{ user: town, password: secret }}\n",
        folder.join("store").display(),
        certificates.path("server", "pem"),
        certificates.path("server", "key"),
        certificates.path("authority", "pem"),
    );
    let written = fs::write(&path, configuration);
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    let words = ["-c".to_owned(), path.display().to_string()];
    Ok(Process::new("server", &server_program(), &words, folder))
}

async fn wait_for_answer(port: u16) -> Result<(), Fault> {
    let end = now() + Duration::from_secs(20);
    loop {
        let found = exchange(port, "POST /query", r#"{"query":"info"}"#).unwrap_or_default();
        if found.contains("\"hash\":\"") {
            return Ok(());
        }
        if now() > end {
            return Err(format!("no answer on port {port}: {found}"));
        }
        sleep(Duration::from_millis(50)).await;
    }
}
