"""Reads an archive with warcio, and replays URLs of it with pywb. Arguments: a WACZ file, and URLs; it works in its folder."""
from gevent import monkey; monkey.patch_all()
import base64, json, os, subprocess, sys, zipfile
from io import BytesIO

wacz, urls = sys.argv[1], sys.argv[2:]
records = []
with zipfile.ZipFile(wacz) as parts:
    assert parts.testzip() is None
    names = [name for name in parts.namelist() if name.endswith('.warc.gz')]
    from warcio.archiveiterator import ArchiveIterator
    for name in names:
        for record in ArchiveIterator(BytesIO(parts.read(name)), check_digests=True):
            record.content_stream().read()
            passed = record.digest_checker.passed
            records.append([record.rec_type, record.rec_headers.get_header('WARC-Target-URI'), passed, record.digest_checker.problems])

manager = os.path.join(os.path.dirname(sys.executable), 'wb-manager')
subprocess.run([manager, 'init', 'kept'], check=True, capture_output=True)
subprocess.run([manager, 'add', 'kept', wacz, '--unpack-wacz'], check=True, capture_output=True)

from pywb.apps.frontendapp import FrontEndApp
from werkzeug.test import Client
from werkzeug.wrappers import Response

client = Client(FrontEndApp(custom_config={}), Response)
replayed = {}
for url in urls:
    answer = client.get('/kept/id_/' + url, headers={'Accept-Encoding': 'gzip'})
    replayed[url] = {
        'status': answer.status_code,
        'coding': answer.headers.get('Content-Encoding'),
        'body': base64.b64encode(answer.data).decode(),
    }
print(json.dumps({'records': records, 'replayed': replayed}), flush=True)
os._exit(0)
