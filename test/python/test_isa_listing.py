"""Counting the instructions of a disassembly."""

from __future__ import annotations

from mltc.package.isa import analyse

LISTING = """\
L0:
(W)     send.ugm (1|M0)  r1  r255  null:0  0xFF000000  0x6218D500  {A@1,$0} // wr:1+0, rd:1; load.ugm.d32x16t.a32.ca.ca.bti[255]
L64:
        send.ugm (1|M0)  r5  r253  null:0  0x0  0x03F00283  {$4} // wr:1+0, rd:31; load_block2d.ugm.d16v.a64
        dpas.8x8 (16|M0)  r9:f  r9:f  r62:hf  r94.0:hf  {Atomic,Compacted}
L96:
        send.ugm (16|M0)  r3  r60  null:0  0x0  0x04240B80  {$1} // wr:2+0, rd:1; load.ugm.d16u32.a64
        send.ugm (16|M0)  null  r60  r3:2  0x0  0x080005A4  {$2} // wr:4+2, rd:0; store.ugm.d32x2.a64
(W)     send.dc0 (16|M0)  null  r0  r7:4  0x0  0x020F3000  {$4} // wr:1h+4, rd:0; hword scratch block write x8
(f0.0)  jmpi  L96
(f0.1)  jmpi  L64
        calla (1|M0)  r1  0x80
(W)     call (32|M0)  r102.6  L800  {A@1}
(W)     send.gtwy (1|M0)  null  r112  null:0  0x0  0x02000010  {EOT,A@1} // wr:1+0, rd:0; end of thread
L800:
        illegal {Compacted}
"""


def test_counts_of_a_listing() -> None:
    code = analyse(LISTING)
    assert code.counts.total == 11
    assert code.counts.opcodes["send"] == 6 and code.counts.opcodes["dpas"] == 1
    assert code.counts.calls == 1 and code.counts.subroutines["L800"] == 1
    assert code.counts.scattered == 2
    assert code.counts.scratch == 1
    assert code.counts.messages["hword scratch block write x8"] == 1
    assert code.counts.messages_like("load_block2d") == 1


def test_only_innermost_loops() -> None:
    (loop,) = analyse(LISTING).loops
    assert loop.label == "L96"
    assert loop.counts.total == 4 and loop.counts.scattered == 2


PREFETCH = """\
L0:
(W)     send.ugm (1|M0)  null  r253  null:0  0x0  0x02080203  {$8} // wr:1+0, rd:0; load_block2d.ugm.d16.a64.ca.ca
(W)     mov (1|M0)  null<1>:ud  0x30433:ud  {$8.src}
(W)     mov (1|M0)  r253.5<1>:d  r3.0<0;1,0>:d
(f0.1)  jmpi  L0
"""


def test_a_load_that_nothing_receives_is_a_prefetch() -> None:
    (loop,) = analyse(PREFETCH).loops
    assert dict(loop.counts.messages) == {"prefetch_block2d.ugm.d16.a64.ca.ca": 1}
    assert loop.counts.dummy_moves == 1 and loop.counts.opcodes["mov"] == 2
